// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/settings/settingcontrols.h"

#include <QDoubleSpinBox>

#include <optional>

namespace trainyard
{

// A number of bytes, in the largest unit in which it is a whole number: "20 GiB". It may be typed in any of them; one
// without a unit is in the one that was shown.
class BytesBox final : public StillControl<QDoubleSpinBox>
{
    Q_OBJECT
public:
    explicit BytesBox(QWidget *parent = nullptr);
    void stepBy(int steps) override; // of the unit
    QString textFromValue(double bytes) const override;
    double valueFromText(const QString &text) const override;
    QValidator::State validate(QString &text, int &position) const override;

private:
    std::optional<double> read(const QString &text) const;
};

} // namespace trainyard
