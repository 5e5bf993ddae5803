// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/pathchoice.h"

#include "widgets/common/filedialog.h"
#include "widgets/common/iconbutton.h"
#include "widgets/common/tokens.h"
#include "widgets/form/formcontext.h"

#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QToolButton>

#include <utility>

namespace trainyard
{

QToolButton *pathButton(const QString &objectName, const QString &tip)
{
    QToolButton *button = iconButton(QStringLiteral("folder"), tip);
    button->setObjectName(objectName);
    button->setFixedSize(metrics::field, metrics::field);
    return button;
}

QWidget *besidePathButton(QWidget *field, QToolButton *button)
{
    auto *row = new QWidget;
    auto *box = new QHBoxLayout(row);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(metrics::space1);
    box->addWidget(field, 1);
    box->addWidget(button, 0, Qt::AlignTop);
    return row;
}

void choosePath(const FormContext &context, QWidget *over, const QString &title, PathKind kind, const QString &present,
    std::function<void(const QString &path)> chosen)
{
    const QString base = context.folder().isEmpty() ? beginFolder() : context.folder();
    const QString begin = kind == PathKind::Folder ? beginFolderAt(QDir(base).absoluteFilePath(present)) : base;
    auto *dialog = new QFileDialog(over->window(), title, begin);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (kind == PathKind::Folder) {
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
    } else {
        dialog->setFileMode(QFileDialog::ExistingFile);
    }
    QObject::connect(dialog, &QFileDialog::fileSelected, over, std::move(chosen));
    dialog->open();
}

QString pathForDocument(const FormContext &context, const QString &path)
{
    const QString folder = context.folder();
    const QString below = folder.isEmpty() ? QString() : QDir(folder).relativeFilePath(path);
    const bool isBelow = !below.isEmpty() && !below.startsWith(QStringLiteral("..")) && !QDir::isAbsolutePath(below);
    return isBelow ? below : path;
}

} // namespace trainyard
