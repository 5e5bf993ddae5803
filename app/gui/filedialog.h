// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QFileDialog;
class QString;
class QWidget;

namespace trainyard
{

// A dialog that asks for files or a folder, and goes when it is closed. The desktop's own where there is one; Qt's
// shows names in full.
QFileDialog *makeFileDialog(QWidget *window, const QString &title, const QString &at, const QString &filter);

} // namespace trainyard
