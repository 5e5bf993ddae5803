// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/rules.h"

#include <QHash>
#include <QSet>

namespace trainyard
{

// The rules between the fields of a job. Large because each rule is a separate method.
class JobRules
{
public:
    JobRules(const JobSpec &job, const CatalogueLookup &catalogue, Findings &findings);
    void run();

private:
    void checkPrerequisite(const Prerequisite &item, const YamlPath &path);
    void checkPlugin(const QString &plugin, const QString &name, const YamlPath &path);
    void checkRequire(const Prerequisite &item, const YamlPath &path);
    void checkImage(const Prerequisite &item, const YamlPath &path);
    void checkRole(const TaskRole &role, const YamlPath &path);
    void checkRoleName(const TaskRole &role, const YamlPath &path);
    void checkReferences(const TaskRole &role, const YamlPath &path);
    void checkReference(const TaskRole &role, const YamlPath &path, const QString &type, const QString &name);
    void checkEmptyName(const YamlPath &path, const QString &field);
    bool needsImage() const;
    void noImage(const TaskRole &role, const YamlPath &path);
    void undefinedImage(const TaskRole &role, const YamlPath &path);
    void checkLimits(const TaskRole &role, const YamlPath &path);
    void checkCommands(const TaskRole &role, const YamlPath &path);
    void checkDeployments();
    void checkPlugins();
    void checkCycles();
    bool mentions(const QString &text) const;

    void suggestName(Diagnostic &d, const QString &name, const YamlPath &at); // the nearest of the prerequisites
    bool isInCatalogue(const QString &name, const YamlPath &path, ServerVerdict server);
    void checkOrder();

    const JobSpec &m_job;
    const CatalogueLookup &m_catalogue;
    Findings &m_out;
    QSet<QString> m_names; // of prerequisites
    QSet<std::pair<QString, QString>> m_typedNames;
    QSet<QString> m_roleNames;
    QStringList m_nameList, m_roleList; // in file order, for suggestions
    QSet<QString> m_used; // prerequisites that something names
    QHash<QString, QStringList> m_namesByType;
};

} // namespace trainyard
