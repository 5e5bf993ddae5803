// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/rules.h"
#include "model/template/mustache.h"
#include "model/template/tags.h"

#include <QHash>
#include <QSet>

namespace trainyard
{

// A text that has templates.
struct TemplateText {
    QString value;
    YamlPath path;
    Result<QList<TemplateTag>> tags = templateTags(value);
};

// Checks whether the names that templates in texts use exist. Large because each place with templates has its own
// names.
class TemplateRules
{
public:
    TemplateRules(const JobSpec &job, Findings &findings) : m_job(job), m_out(findings) { }
    void run();

private:
    TemplateScopes scopesOf(const TaskRole &role) const;
    void checkRole(const TaskRole &role);
    void checkSyntax(const TaskRole &role, const QList<TemplateText> &parts, const QStringList &all);
    void checkCommand(const TaskRole &role, const TemplateText &text, const TemplateScopes &scopes);
    void checkCallbacks(qsizetype at);
    void checkStepText(
        const TemplateText &text, const QString &name, const Value *self, const QList<const TaskRole *> &roles);
    void checkAuth(const Prerequisite &item, const YamlPath &path);
    void checkParameterTemplates();
    void readUses();
    void checkUnusedParameters();
    void unresolved(const TemplateText &text, const TemplateTag &tag, const TemplateReference &reference,
        Severity severity, const QString &where, ByteRange at);
    ByteRange locate(const TemplateText &text, const TemplateTag &tag) const;
    QList<const TaskRole *> rolesUsing(const QString &prerequisite) const;

    const JobSpec &m_job;
    Findings &m_out;
    QHash<QString, QList<const TaskRole *>> m_users;
    QStringList m_unused; // parameters to which nothing refers
    QString m_meant; // the only one of them, where there is only one name to which only references are
    struct Misnamed {
        QString name, meant; // what a reference says, and the parameter that is like it
        TextEdit edit;
    };
    QList<Misnamed> m_misnamed;
    QSet<QString> m_wanted; // names that a reference with a misspelt scope means as parameters
};

} // namespace trainyard
