// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <optional>

class QEvent;
class QPoint;
class QTreeView;
class QWidget;

namespace trainyard
{

class JobsFilter;
class JobsModel;

// Drags a job out of the list, with its YAML, and a waiting one within the list, which changes the order of the queue.
class JobsDrag : public QObject
{
    Q_OBJECT
public:
    JobsDrag(QTreeView *view, JobsModel *model, JobsFilter *filter, QWidget *pane);
    // An event of the view's viewport; whether it goes no further. Nothing: it is not about a drag.
    std::optional<bool> handle(QEvent *event);
    void press(const QString &uuid); // what may be dragged from now on; empty: nothing
    bool isPressed() const { return !m_pressed.isEmpty(); }
    void start(); // what is pressed
    // The masked YAML of a job, when known.
    void setYaml(const QString &uuid, const QByteArray &yaml);

Q_SIGNALS:
    void yamlWanted(const QString &uuid); // answer with setYaml()
    void moveRequested(const QString &uuid, const QString &before); // in the queue; `before` empty: to its end

private:
    void start(const QString &uuid);
    bool takes(const QPoint &at) const;
    void drop(const QPoint &at);
    QTreeView *m_view;
    JobsModel *m_model;
    JobsFilter *m_filter;
    QWidget *m_pane;
    QWidget *m_line; // where it would be dropped
    QString m_dragged; // a waiting job
    QString m_pressed;
    QString m_pending; // a drag that waits for its YAML
    QString m_yamlJob;
    QByteArray m_yaml;
};

} // namespace trainyard
