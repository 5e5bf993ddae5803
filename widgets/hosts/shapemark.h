// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/statepainter.h"

#include <QWidget>

#include <optional>

namespace trainyard
{

// The shape of a state, beside a line of text.
class ShapeMark final : public QWidget
{
    Q_OBJECT
public:
    explicit ShapeMark(QWidget *parent = nullptr);
    // In the colour of its state, or in another one. No shape: a dash, of what did not come to a state.
    void setShape(std::optional<StateShape> shape, std::optional<Colour> role = {});
    std::optional<StateShape> shape() const { return m_shape; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::optional<StateShape> m_shape;
    std::optional<Colour> m_role;
};

} // namespace trainyard
