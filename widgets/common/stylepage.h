// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/tokens.h"

#include <QWidget>

namespace trainyard
{

// Every component of the design system in both themes beside each other (`trainyard --style-page`).
class StylePage : public QWidget
{
    Q_OBJECT
public:
    explicit StylePage(QWidget *parent = nullptr);
};

} // namespace trainyard
