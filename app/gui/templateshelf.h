// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/jobtemplates.h"

#include <QObject>

class QFileSystemWatcher;
class QTimer;

namespace trainyard
{

// All templates there are: the user's own, those of a shared folder, and the bundled ones. Follows the folders.
class TemplateShelf : public QObject
{
    Q_OBJECT
public:
    explicit TemplateShelf(QObject *parent = nullptr);
    void setCatalogue(const QString &folder); // empty: none
    QString catalogue() const { return m_catalogue; }
    const QList<JobTemplate> &templates() const { return m_templates; }
    const QList<Error> &errors() const { return m_errors; }
    QStringList categories() const; // in the order of the templates
    const JobTemplate *find(const QString &id) const;

public Q_SLOTS:
    void reload();

Q_SIGNALS:
    void changed();

private:
    QString m_catalogue;
    QList<JobTemplate> m_templates;
    QList<Error> m_errors;
    QFileSystemWatcher *m_watcher;
    QTimer *m_settle;
};

} // namespace trainyard
