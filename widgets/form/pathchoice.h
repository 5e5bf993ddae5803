// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

QT_BEGIN_NAMESPACE
class QToolButton;
class QWidget;
QT_END_NAMESPACE

namespace trainyard
{

class FormContext;

// A button beside a field, with the picture of a folder. `tip` says what it does.
QToolButton *pathButton(const QString &objectName, const QString &tip);

// A field of the form with such a button at its right end.
QWidget *besidePathButton(QWidget *field, QToolButton *button);

enum class PathKind { Folder, File };
// Opens a dialog over a widget in which a path of this computer is chosen, and hands the whole path over. It begins at
// `present`, which may be relative to the folder of the document.
void choosePath(const FormContext &context, QWidget *over, const QString &title, PathKind kind, const QString &present,
    std::function<void(const QString &path)> chosen);

// The path as it is written into the document: what is below the folder of its file moves along with it.
QString pathForDocument(const FormContext &context, const QString &path);

} // namespace trainyard
