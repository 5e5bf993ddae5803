// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"

class QToolButton;

namespace trainyard
{

class LogView;

// The runtime messages of a try (prerequisites, plugins, the end of the task) as a row above its log that opens. It is
// there when there are any.
class PreparationFold : public Ground
{
    Q_OBJECT
public:
    explicit PreparationFold(QWidget *parent = nullptr);
    void setFolder(const QString &folder); // of the try; empty: there is none
    bool isOpen() const;
    void setOpen(bool on);
    LogView *view() const { return m_view; }

Q_SIGNALS:
    void openChanged(bool on);

private:
    void refresh();
    QString m_folder;
    QToolButton *m_fold;
    ElidedLabel *m_newest; // what it says last
    QWidget *m_row;
    LogView *m_view;
};

} // namespace trainyard
