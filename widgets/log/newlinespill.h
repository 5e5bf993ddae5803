// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace trainyard
{

// Says at the lower edge of a log how many lines were added since it was last followed.
class NewLinesPill : public QPushButton
{
    Q_OBJECT
public:
    explicit NewLinesPill(QWidget *viewport);
    void setLines(qint64 lines); // none: it is not there. Places itself too
};

} // namespace trainyard
