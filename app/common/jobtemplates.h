// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace trainyard
{

// A job to start one's own from: one that comes with the program, one that the user saved, or one of a shared folder.
struct JobTemplate {
    enum class Origin { Bundled, User, Catalogue };
    QString id; // a word, or the path of the file
    QString title;
    QString summary; // what it does
    QString needs; // what must be there: "PyTorch, 1 GPU"
    QString category;
    Origin origin = Origin::Bundled;
    QString path; // empty for bundled ones
    QString otherWords; // that people look for it by

    Result<QByteArray> yaml() const;
    QByteArray picture() const; // SVG with var(--token) colours
    QString fileName() const; // for the new document
    bool matches(const QString &words) const; // every one is in one of the texts above, or in the file name
};

QList<JobTemplate> bundledTemplates();
QByteArray helloJob(); // the job that shows how it feels, in a few seconds
const JobTemplate *findTemplate(const QList<JobTemplate> &templates, const QString &word); // by id, file name or title

// Templates of a folder: each YAML file in it, by name. Unusable files are reported with the reason.
struct TemplateFolder {
    QList<JobTemplate> templates;
    QList<Error> errors;
};
TemplateFolder readTemplates(const QString &folder, JobTemplate::Origin origin);

// The user's own: $XDG_CONFIG_HOME/trainyard/templates.
QString userTemplateFolder();
// Saved with secrets masked. Codes "template.no-name" and "template.exists" {name}; gives the path.
Result<QString> saveUserTemplate(const QString &name, const QByteArray &yaml);
Result<QString> renameUserTemplate(const QString &path, const QString &name);
Result<QByteArray> removeUserTemplate(const QString &path); // gives its bytes, so that it can be brought back
Result<void> restoreUserTemplate(const QString &path, const QByteArray &bytes); // "template.exists" {name}

} // namespace trainyard
