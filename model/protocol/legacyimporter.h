// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/fieldreference.h"
#include "model/protocol/legacyjson.h"
#include "model/yaml/yamlwriter.h"

#include <optional>

// Writes the job of version 2 from the text of a job of version 1 that was read. Internal to the import.
namespace trainyard::legacy
{

// The entry of the field reference for a field, with its names and its default in version 1.
const ReferenceField &fieldOf(const char *pointer);

// Large because each field of version 1 is translated by a separate method, and all of them write one document and one
// report.
class Importer
{
public:
    explicit Importer(const Node &root) : m_root(root) { }

    YamlWriter convert(QList<Diagnostic> &report);
    const QStringList &looseComments() const { return m_loose; }
    bool isTooLarge() const { return m_tooLarge; }

private:
    struct Role {
        const Node *node = nullptr;
        QString oldName, name;
        qint64 instances = 1;
        QStringList comments; // of the item of the list
        QList<std::pair<QString, QString>> labels; // old and new, where they differ
        YamlWriter kept = YamlWriter::map();
    };

    Diagnostic &say(const char *code, Severity severity, ByteRange at, const QJsonObject &args = {});
    Diagnostic &say(const char *code, Severity severity, const Member &member, QJsonObject args = {});
    QString text(const Node &map, const QString &field, const QString &where, QStringList *comments = nullptr);
    std::optional<qint64> integer(const Member &member, const QString &role, std::optional<qint64> fallback);
    qint64 number(const Role &role, const ReferenceField &field, QStringList *comments = nullptr);
    QStringList commentsOf(const Node &map, const QString &field) const;

    void readRoles();
    void addHead(YamlWriter &job);
    void addPrerequisites(YamlWriter &job);
    void addLogin(YamlWriter &item, const QString &image);
    void addRetries(YamlWriter &job);
    void addRole(YamlWriter &roles, Role &role);
    YamlWriter completion(Role &role);
    qint64 limit(Role &role, const ReferenceField &field, QStringList &comments);
    YamlWriter ports(Role &role, const Member &list);
    QString command(const Role &role);
    void addDeployment(YamlWriter &job);
    QStringList exports();
    QString aliasCommand() const;
    void addExtras(YamlWriter &job);
    void unknownFields();

    const Node &m_root;
    QList<Diagnostic> m_report;
    Diagnostic m_dropped; // what callers get when the report is full
    QList<Role> m_roles;
    QString m_data, m_output, m_code;
    YamlWriter m_kept = YamlWriter::map();
    YamlWriter m_unknown = YamlWriter::map();
    YamlWriter m_secrets = YamlWriter::map();
    QString m_gpuType;
    QStringList m_loose;
    bool m_tooLarge = false;
};

} // namespace trainyard::legacy
