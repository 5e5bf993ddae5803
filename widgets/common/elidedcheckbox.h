// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>

namespace trainyard
{

// A tick beside a name, which elides in the middle and is whole on hover.
class ElidedCheckBox : public QCheckBox
{
    Q_OBJECT
public:
    explicit ElidedCheckBox(const QString &name, QWidget *parent = nullptr);
    QSize minimumSizeHint() const override;
    QString shownName() const; // as it has room now

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QString m_name;
};

} // namespace trainyard
