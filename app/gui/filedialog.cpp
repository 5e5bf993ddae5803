// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/filedialog.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QTreeView>

namespace trainyard
{
namespace
{
constexpr QSize dialogSize(820, 520);
constexpr int sizeWidth = 84;
constexpr int dateWidth = 150;
} // namespace

QFileDialog *makeFileDialog(QWidget *window, const QString &title, const QString &at, const QString &filter)
{
    auto *dialog = new QFileDialog(window, title, at, filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    // Only Qt's own has it.
    if (auto *files = dialog->findChild<QTreeView *>(QStringLiteral("treeView"))) {
        enum Column { Name, Size, Type, Date };
        QHeaderView *header = files->header();
        header->setStretchLastSection(false);
        header->setSectionResizeMode(Name, QHeaderView::Stretch);
        header->hideSection(Type); // the name says it
        header->resizeSection(Size, sizeWidth);
        header->resizeSection(Date, dateWidth);
        dialog->resize(dialogSize.boundedTo(window->size() * 9 / 10));
    }
    return dialog;
}

} // namespace trainyard
