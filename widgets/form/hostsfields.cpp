// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/hostsfields.h"

#include "model/protocol/jobspec.h"
#include "widgets/common/labels.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/wordsfield.h"
#include "widgets/text/hosttexts.h"

#include <QComboBox>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr qsizetype mostNamed = 4; // of hosts in a sentence

const QString &allRoles()
{
    static const QString key(QStringLiteral("*"));
    return key;
}

QString arrangeText(const QString &word)
{
    switch (arrangementOf(word)) {
    case Arrangement::SameHost:
        return HostsFields::tr("all on one host");
    case Arrangement::DifferentHosts:
        return HostsFields::tr("each on a host of its own");
    case Arrangement::Pack:
        return HostsFields::tr("on few hosts");
    case Arrangement::Spread:
        return HostsFields::tr("spread over the hosts");
    case Arrangement::Any:
        break;
    }
    return word; // a word that is not known, as it is
}

QString nameList(const QStringList &words)
{
    if (words.size() <= mostNamed) {
        return words.join(QStringLiteral(", "));
    }
    return HostsFields::tr("%1 and %2 more")
        .arg(words.mid(0, mostNamed).join(QStringLiteral(", ")))
        .arg(words.size() - mostNamed);
}

// The description of a host, in a few words beside its name.
QString briefOf(const HostInfo &host)
{
    QStringList parts;
    if (host.target.isEmpty()) {
        parts.append(HostsFields::tr("this computer"));
    }
    if (!host.gpus.isEmpty()) {
        parts.append(HostsFields::tr("%n GPU(s)", nullptr, int(host.gpus.size())));
    }
    if (host.state != HostState::Online) {
        parts.append(hostStateWord(host));
    }
    return parts.join(QStringLiteral(", "));
}

QList<WordsField::Known> knownNames(const QList<HostInfo> &hosts)
{
    QList<WordsField::Known> known;
    for (const HostInfo &host : hosts) {
        known.append({host.id, briefOf(host)});
    }
    return known;
}

QList<WordsField::Known> knownLabels(const QList<HostInfo> &hosts)
{
    QMap<QString, QStringList> having;
    for (const HostInfo &host : hosts) {
        for (const QString &label : host.labels) {
            having[label].append(host.id);
        }
    }
    QList<WordsField::Known> known;
    for (auto it = having.cbegin(); it != having.cend(); ++it) {
        known.append({it.key(), nameList(it.value())});
    }
    return known;
}

} // namespace

const YamlPath &hostRulesPath()
{
    static const YamlPath path{k("extras"), k("trainyard"), k("hosts")};
    return path;
}

HostsFields::HostsFields(FormContext *context, const QString &name, QObject *parent)
    : QObject(parent), m_context(context), m_line(new Disclosure(QString())), m_grid(new FormGrid)
{
    m_line->setObjectName(name + QStringLiteral("Hosts"));
    m_names = new WordsField(context, {},
        {name + QStringLiteral("HostName"), QStringLiteral("host"), tr("Add a host"), tr("name of a host"), true});
    m_names->setKnown([context] { return knownNames(context->hosts()); });
    m_names->setCovers([this](const YamlPath &place) { return covers(place); });
    m_labels = new WordsField(context, {},
        {name + QStringLiteral("HostLabel"), QStringLiteral("tag"), tr("Add a label"), tr("label, such as a100"),
            true});
    m_labels->setKnown([context] { return knownLabels(context->hosts()); });
    QList<std::pair<QString, QString>> words{{QString(), tr("no matter how")}};
    for (const char *word : {"same-host", "different-hosts", "pack", "spread"}) {
        words.append({k(word), arrangeText(k(word))});
    }
    m_arrange = new WordField(context, {}, words);
    m_arrange->combo()->setObjectName(name + QStringLiteral("HostArrange"));
    m_grid->addField(tr("Only on"), m_names);
    m_grid->addField(tr("With labels"), m_labels);
    m_grid->addField(tr("Arranged"), m_arrange);
    connect(context, &FormContext::hostsChanged, this, [this] {
        m_names->refresh();
        m_labels->refresh();
        refresh();
    });
}

void HostsFields::addTo(FormGrid *grid, const QString &label)
{
    m_line->setAccessibleName(label);
    grid->addRow(label, m_line);
    grid->addWide(m_grid);
    m_line->setBody(m_grid);
}

YamlPath HostsFields::base() const { return m_role.isEmpty() ? YamlPath() : hostRulesPath().child(m_role); }

void HostsFields::setRole(const QString &role)
{
    m_role = role;
    const YamlPath rule = base();
    const auto at = [&rule](const char *key) { return rule.isEmpty() ? rule : rule.child(k(key)); };
    m_names->setPath(at("names"));
    m_labels->setPath(at("labels"));
    m_arrange->setPath(at("arrange"));
    m_line->setProblems(0); // those of another role are news
    m_line->setOpen(false);
    refresh();
}

// The rule as a whole, and keys of it that have no field; of all roles also what belongs to none.
bool HostsFields::covers(const YamlPath &place) const
{
    const qsizetype depth = hostRulesPath().size();
    if (m_role.isEmpty() || !place.startsWith(hostRulesPath())) {
        return false;
    }
    const auto *role = place.size() > depth ? std::get_if<QString>(&place.at(depth)) : nullptr;
    if (m_role == allRoles()) {
        if (!role || (*role != allRoles() && !m_context->keys(rolesPath()).contains(*role))) {
            return true;
        }
    }
    const auto *key = place.size() > depth + 1 ? std::get_if<QString>(&place.at(depth + 1)) : nullptr;
    return role && *role == m_role && (!key || (*key != k("labels") && *key != k("arrange")));
}

QString HostsFields::summary() const
{
    const auto said = [this](const char *key) {
        const auto of = [&](const YamlPath &rule) {
            const YamlPath path = rule.child(k(key));
            const QStringList list = m_context->texts(path);
            const std::optional<QString> text = m_context->text(path);
            return list.isEmpty() && text ? QStringList(*text) : list;
        };
        const QStringList own = of(base());
        return own.isEmpty() ? of(hostRulesPath().child(allRoles())) : own;
    };
    QStringList parts;
    if (const QStringList names = said("names"); !names.isEmpty()) {
        parts.append(nameList(names));
    }
    if (const QStringList labels = said("labels"); !labels.isEmpty()) {
        parts.append(tr("hosts with %1").arg(nameList(labels)));
    }
    if (const QStringList arrange = said("arrange"); !arrange.isEmpty()) {
        parts.append(arrangeText(arrange.constFirst()));
    }
    if (parts.isEmpty()) {
        return m_role == allRoles() ? tr("any host, unless a role says more") : tr("any host");
    }
    const bool isInherited = m_role != allRoles() && !m_context->node(base());
    return isInherited ? tr("%1, as all roles").arg(parts.join(QStringLiteral(", ")))
                       : parts.join(QStringLiteral(", "));
}

void HostsFields::refresh()
{
    m_line->setSummary(m_role.isEmpty() ? QString() : summary());
    // The value if the role has none of its own.
    const YamlPath all = hostRulesPath().child(allRoles());
    const auto fromAll = [&](const char *key) {
        const QStringList list = m_role == allRoles() ? QStringList() : m_context->texts(all.child(k(key)));
        return list.isEmpty() ? QString() : tr("As for all roles: %1").arg(nameList(list));
    };
    const QString names = fromAll("names");
    const QString labels = fromAll("labels");
    m_names->setEmptyHelp(names.isEmpty() ? tr("Any host, if none is named") : names);
    m_labels->setEmptyHelp(labels.isEmpty() ? tr("A host must have all of the labels that are listed here") : labels);
    const QString arrange
        = m_role == allRoles() ? QString() : m_context->text(all.child(k("arrange"))).value_or(QString());
    m_arrange->combo()->setItemText(
        0, arrange.isEmpty() ? tr("no matter how") : tr("as for all roles: %1").arg(arrangeText(arrange)));
    updateFitting();
    openForProblems();
}

// The hosts that a job gets, where they are known.
void HostsFields::updateFitting()
{
    const JobSpec *job = m_context->spec();
    const HostRule rule = job && !m_role.isEmpty() ? job->trainyard.hostRule(m_role) : HostRule();
    if (m_context->hosts().isEmpty() || (rule.names.isEmpty() && rule.labels.isEmpty())) {
        m_arrange->setHelp({});
        return;
    }
    QStringList fitting;
    for (const HostInfo &host : m_context->hosts()) {
        const bool hasAll = std::all_of(rule.labels.cbegin(), rule.labels.cend(),
            [&host](const QString &label) { return host.labels.contains(label); });
        if (hasAll && (rule.names.isEmpty() || rule.names.contains(host.id))) {
            fitting.append(host.id);
        }
    }
    m_arrange->setHelp(
        fitting.isEmpty() ? tr("No host fits this yet.") : tr("Hosts that fit: %1").arg(nameList(fitting)));
}

void HostsFields::openForProblems()
{
    int problems = 0;
    for (const Diagnostic &each : m_context->diagnostics()) {
        const bool isHere = !m_role.isEmpty() && (covers(each.path) || each.path.startsWith(base()));
        problems += isHere && each.severity != Severity::Note ? 1 : 0;
    }
    m_line->setProblems(problems);
}

} // namespace trainyard
