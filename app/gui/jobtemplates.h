// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace trainyard
{

// A job that comes with the program: a start for one's own.
struct JobTemplate {
    QString id; // also the name of its files
    QString title;
    QString summary;
    QString framework; // PyTorch, any, ...
    QByteArray yaml() const;
    QByteArray picture() const; // SVG with var(--token) colours
};
QList<JobTemplate> jobTemplates();
QByteArray helloJob(); // the job that shows how it feels, in a few seconds

} // namespace trainyard
