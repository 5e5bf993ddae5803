// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QObject>
#include <QSize>
#include <QString>

#include <functional>

class QAction;
class QPainter;
class QPalette;
class QWidget;

namespace trainyard
{

// The painting of a view as a picture for a file or a page of text: in the light theme, with a title above it.
struct ViewPicture {
    QString title; // empty: none
    QSize size; // without the title; empty: there is nothing to show
    std::function<void(QPainter *painter, const QPalette &ink)> paint;

    QByteArray svg() const;
    // .png, .pdf or .svg by its name. The file is written as a whole or stays as it is. Error: file.unwritable {file,
    // reason}.
    Result<void> save(const QString &file) const;
};

// Offers in the context menu of a view to save its picture, and asks where.
class ViewSaving : public QObject
{
    Q_OBJECT
public:
    // `words`: of the action. The picture is taken when the file is chosen.
    ViewSaving(QWidget *view, const QString &words, const std::function<ViewPicture()> &picture); // of the view
    QAction *action() const { return m_action; }
    bool hasPicture() const; // and is visible: a hidden view has no size

Q_SIGNALS:
    void saved(const QString &file);
    void failed(const QString &sentence);

private:
    void ask();
    QWidget *m_view;
    std::function<ViewPicture()> m_picture;
    QAction *m_action;
};

} // namespace trainyard
