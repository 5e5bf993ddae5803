// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/prerequisitespanel.h"

#include "model/template/render.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/common/wordbreaks.h"
#include "widgets/form/chainfield.h"
#include "widgets/form/commandsfield.h"
#include "widgets/form/entrylist.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/formops.h"
#include "widgets/form/valuestable.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>

namespace trainyard
{
namespace
{

const YamlPath &prerequisitesPath()
{
    static const YamlPath path{QStringLiteral("prerequisites")};
    return path;
}
const char cmdPlugin[] = "com.microsoft.pai.runtimeplugin.cmd";

} // namespace

PrerequisitesPanel::PrerequisitesPanel(FormContext *context, QWidget *parent)
    : EntryPanel(context, prerequisitesPath(), new EntryList(k("prerequisites"), tr("Prerequisites")), parent)
{
    m_list->setEmptyText(tr("The images, scripts, data and outputs that task roles name."));
    for (const auto &[type, text] : QList<std::pair<QString, QString>>{{k("dockerimage"), tr("Docker image")},
             {k("script"), tr("Script")}, {k("data"), tr("Data")}, {k("output"), tr("Output")}}) {
        QAction *action = m_list->addMenu()->addAction(
            icon(prerequisiteIcon(type)), text, this, [this, type = type] { add(type); });
        action->setObjectName(QStringLiteral("add_") + type);
    }
    build();
}

void PrerequisitesPanel::duplicate(int row)
{
    const YamlPath at = prerequisitesPath().child(qsizetype(row));
    const QString name = m_context->text(at.child(k("name"))).value_or(k("item"));
    const QString made = freshName(name, m_context->prerequisiteNames());
    m_context->edit(
        {edit::Duplicate{at, {}}, edit::SetText{prerequisitesPath().child(qsizetype(row) + 1).child(k("name")), made}},
        [this, row](const Result<void> &result) {
            if (result) {
                select(row + 1);
                m_name->edit()->setFocus();
                m_name->edit()->selectAll();
            }
        });
}

void PrerequisitesPanel::build()
{
    const auto text = [this](FormGrid *grid, const QString &label, const char *name, const QString &placeholder = {},
                          TextField::Empty empty = TextField::Empty::Remove) {
        auto *field = new TextField(m_context, {}, placeholder, empty);
        field->edit()->setObjectName(QLatin1String(name));
        grid->addField(label, field);
        m_fields.append(field);
        return field;
    };
    m_name = text(m_grid, tr("Name"), "prerequisiteName", {}, TextField::Empty::Keep);
    m_name->setWriter([this](const QString &to) { return renameOps(*m_context, item().child(k("name")), to); });
    m_type = new WordField(m_context, {},
        {{QString(), tr("not set")}, {k("dockerimage"), tr("Docker image")}, {k("script"), tr("Script")},
            {k("data"), tr("Data")}, {k("output"), tr("Output")}});
    m_type->combo()->setObjectName(QStringLiteral("prerequisiteType"));
    // A list of sources is data's alone.
    m_type->setCompanions([this](const QString &type) {
        QList<edit::Op> ops;
        const YamlPath uri = item().child(k("uri"));
        const YamlNode *node = m_context->node(uri);
        if (type == u"data" && node && node->kind == YamlNode::Kind::Scalar && !node->isNull()) {
            ops.append(edit::SetValue{uri, flowList({m_context->text(uri).value_or(QString())})});
        } else if (type != u"data" && node && node->isSequence() && node->entries.size() <= 1) {
            const QStringList sources = m_context->texts(uri);
            if (sources.isEmpty()) {
                ops.append(edit::Remove{uri});
            } else {
                ops.append(edit::SetText{uri, sources.first()});
            }
        }
        return ops;
    });
    m_grid->addField(tr("Type"), m_type);
    m_uri = text(m_grid, tr("Source"), "prerequisiteUri");
    const auto commands = [this](const QString &label, const char *name, int most, const QString &placeholder) {
        auto *field = new CommandsField(m_context, {});
        field->setObjectName(QLatin1String(name));
        field->setLines(2, most);
        field->setPlaceholder(placeholder);
        m_grid->addField(label, field);
        m_fields.append(field);
        return field;
    };
    m_uris = commands(tr("Sources"), "prerequisiteUris", 6, tr("One address or path per item"));
    m_user = text(m_grid, tr("User"), "prerequisiteUser", tr("anonymous"));
    m_password = text(m_grid, tr("Password"), "prerequisitePassword", tr("kept in Secrets"));
    m_password->setWriter([this](const QString &typedText) {
        const QString name = m_context->text(item().child(k("name"))).value_or(k("image"));
        return setPassword(*m_context, item().child(k("auth")).child(k("password")), name + k("_password"), typedText);
    });
    m_registry = text(m_grid, tr("Registry"), "prerequisiteRegistry", tr("the image's own registry"));
    m_plugin = new ChoiceField(m_context, {}, tr("none: OpenPAI skips the commands"));
    m_plugin->setChoices([] { return QStringList{k(cmdPlugin)}; });
    m_plugin->combo()->setObjectName(QStringLiteral("prerequisitePlugin"));
    m_grid->addField(tr("Plugin"), m_plugin);
    m_require = new ChainField(m_context, {});
    m_require->setObjectName(QStringLiteral("prerequisiteRequire"));
    m_grid->addField(tr("Requires"), m_require);
    m_order = smallMutedLabel(QString());
    m_order->setObjectName(QStringLiteral("prerequisiteOrder"));
    m_order->setWordWrap(true);
    m_grid->addRow(QString(), m_order);
    m_starts = commands(tr("At start"), "prerequisiteStarts", 10, tr("Commands before those of the role"));
    m_succeeds = commands(tr("On success"), "prerequisiteSucceeds", 10, tr("Commands after the role has succeeded"));
    m_policy = new WordField(m_context, {}, {{k("fail"), tr("fails the task")}, {k("ignore"), tr("is ignored")}});
    m_policy->combo()->setObjectName(QStringLiteral("prerequisitePolicy"));
    m_grid->addField(tr("Its failure"), m_policy);
    m_fields += {m_type, m_plugin, m_require, m_policy};

    m_more = new Disclosure(tr("More"));
    m_more->setObjectName(QStringLiteral("prerequisiteMore"));
    m_grid->addRow(QString(), m_more);
    m_moreGrid = new FormGrid;
    m_description = new TextAreaField(m_context, {}, tr("What it is for"));
    m_description->edit()->setObjectName(QStringLiteral("prerequisiteDescription"));
    m_moreGrid->addField(tr("Description"), m_description);
    m_version = text(m_moreGrid, tr("Version"), "prerequisiteVersion");
    m_contributor = text(m_moreGrid, tr("Contributor"), "prerequisiteContributor");
    m_protocol = new NumberField(m_context, {});
    m_protocol->box()->setObjectName(QStringLiteral("prerequisiteProtocol"));
    m_protocol->box()->setRange(2, 2);
    m_protocol->box()->setDefault(2);
    m_moreGrid->addField(tr("Protocol"), m_protocol);
    m_own = new ValuesTable(m_context, {}, ValuesTable::Kind::Keys);
    m_own->setNames(QStringLiteral("ownKeys"), tr("Own keys"), tr("Add a key"));
    m_moreGrid->addField(tr("Own keys"), m_own);
    m_fields += {m_description, m_protocol, m_own};
    m_grid->addWide(m_moreGrid);
    m_more->setBody(m_moreGrid);
}

// The list of commands of the (first) callback for an event; where it would be when there is none.
YamlPath PrerequisitesPanel::callback(const QString &event) const
{
    const YamlPath all = item().child(k("callbacks"));
    for (qsizetype i = 0; i < m_context->count(all); ++i) {
        if (m_context->text(all.child(i).child(k("event"))) == event) {
            return all.child(i).child(k("commands"));
        }
    }
    return all.child(m_context->count(all)).child(k("commands"));
}

// Callbacks of other events, or more than one of an event: the two fields do not show them.
bool PrerequisitesPanel::hasOtherCallbacks() const
{
    const YamlPath all = item().child(k("callbacks"));
    QStringList seen;
    for (qsizetype i = 0; i < m_context->count(all); ++i) {
        const QString event = m_context->text(all.child(i).child(k("event"))).value_or(QString());
        if ((event != u"taskStarts" && event != u"taskSucceeds") || seen.contains(event)) {
            return true;
        }
        seen.append(event);
    }
    return false;
}

void PrerequisitesPanel::showEntry()
{
    const YamlPath at = item();
    m_details->setVisible(!at.isEmpty());
    if (at.isEmpty()) {
        for (FormField *field : std::as_const(m_fields)) {
            field->setPath({});
        }
        return;
    }
    const auto key = [&](const char *name, bool used = true) { return used ? at.child(k(name)) : YamlPath(); };
    const QString type = m_context->text(key("type")).value_or(QString());
    const bool image = type == u"dockerimage";
    const YamlNode *uri = m_context->node(key("uri"));
    const bool list = uri && !uri->isNull() ? uri->isSequence() : type == u"data";
    m_name->setPath(key("name"));
    m_type->setPath(key("type"));
    m_uri->setPath(key("uri", !list));
    m_uris->setPath(key("uri", list));
    m_uri->edit()->setPlaceholderText(image ? tr("name:tag of the image") : tr("address or path, for templates"));
    m_grid->setRowVisible(m_uri, !list);
    m_grid->setRowVisible(m_uris, list);
    m_require->setExcluded(m_context->text(key("name")).value_or(QString()));
    // An image has none of these for a server; what is written all the same is shown.
    const auto show = [&](FormField *field, const char *name, const YamlPath &path) {
        const bool shown = !image || m_context->node(at.child(k(name)));
        field->setPath(shown ? path : YamlPath());
        m_grid->setRowVisible(field, shown);
    };
    show(m_plugin, "plugin", key("plugin"));
    show(m_require, "require", key("require"));
    show(m_policy, "failurePolicy", key("failurePolicy"));
    show(m_starts, "callbacks", callback(k("taskStarts")));
    show(m_succeeds, "callbacks", callback(k("taskSucceeds")));
    const auto creator = [this](const QString &event) {
        return [this, event](const QStringList &texts) {
            const YamlPath all = item().child(k("callbacks"));
            const YamlPath made = all.child(m_context->count(all));
            QList<edit::Op> ops;
            ops.append(edit::SetText{made.child(k("event")), event});
            for (qsizetype i = 0; i < texts.size(); ++i) {
                ops.append(edit::SetText{made.child(k("commands")).child(i), texts.at(i)});
            }
            return ops;
        };
    };
    m_starts->setCreator(creator(k("taskStarts")));
    m_succeeds->setCreator(creator(k("taskSucceeds")));

    const YamlPath auth = at.child(k("auth"));
    const bool signedIn = image || m_context->node(auth);
    const QString password = m_context->text(auth.child(k("password"))).value_or(QString());
    m_user->setPath(signedIn ? auth.child(k("username")) : YamlPath());
    m_password->setPath(signedIn ? auth.child(k("password")) : YamlPath());
    m_registry->setPath(signedIn ? auth.child(k("registryuri")) : YamlPath());
    m_password->setPassword(!password.contains(u"<%"));
    const QString secret = secretIn(password);
    m_password->setHelp(secret.isEmpty() ? (password.isEmpty() || password.contains(u"<%")
                                ? QString()
                                : tr("It is in the file in plain text. Type it again to move it to Secrets."))
            : m_context->keys({k("secrets")}).contains(secret)
            ? tr("Its value is the secret %1: typing another password changes that one.").arg(secret)
            : QString());
    for (QWidget *field : QList<QWidget *>{m_user, m_password, m_registry}) {
        m_grid->setRowVisible(field, signedIn);
    }

    m_description->setPath(key("description"));
    m_version->setPath(key("version"));
    m_contributor->setPath(key("contributor"));
    m_protocol->setPath(key("protocolVersion"));
    QStringList known{k("protocolVersion"), k("name"), k("type"), k("version"), k("contributor"), k("description"),
        k("uri"), k("plugin"), k("require"), k("callbacks"), k("failurePolicy"), k("auth")};
    if (hasOtherCallbacks()) {
        known.removeAll(k("callbacks"));
    }
    m_own->setKnownKeys(known);
    m_own->setPath(at);
    m_own->refresh();
    m_own->setNote(image ? tr("A server accepts no other keys of an image.")
                         : tr("Commands use them as <% $%1.name %>.").arg(type.isEmpty() ? k("script") : type));
    m_moreGrid->setRowVisible(m_own, !image || m_own->rowCount() > 0);
    QStringList summary;
    if (const auto version = m_context->text(key("version"))) {
        summary.append(tr("version %1").arg(*version));
    }
    if (const auto description = m_context->text(key("description"))) {
        summary.append(description->simplified());
    }
    if (m_own->rowCount() > 0) {
        summary.append(tr("%n own key(s)", nullptr, int(m_own->rowCount())));
    }
    m_more->setSummary(summary.isEmpty() ? tr("description, version, own keys") : summary.join(QStringLiteral(", ")));
    updateOrder();
}

// The items that run when a role names it: all that it requires, directly or indirectly, and the roles that name it.
void PrerequisitesPanel::updateOrder()
{
    const JobSpec *spec = m_context->spec();
    const QString name = m_context->text(item().child(k("name"))).value_or(QString());
    const QString type = m_context->text(item().child(k("type"))).value_or(QString());
    QStringList parts;
    if (spec && !name.isEmpty()) {
        TaskRole probe;
        probe.prerequisites = {name};
        if (const Result<QStringList> order = expandPrerequisites(*spec, probe); order && order->size() > 1) {
            parts.append(tr("Runs as %1.").arg(order->join(QStringLiteral(" → "))));
        }
        QStringList users;
        for (const TaskRole &role : spec->taskRoles) {
            const QString *reference = type == u"dockerimage" ? &role.dockerImage
                : type == u"data"                             ? &role.data
                : type == u"script"                           ? &role.script
                                                              : &role.output;
            if (role.prerequisites.contains(name) || *reference == name) {
                users.append(role.name);
            }
        }
        if (users.isEmpty()) {
            bool required = false;
            for (const Prerequisite &other : spec->prerequisites) {
                required = required || other.require.contains(name);
            }
            parts.append(required ? tr("Others require it; no task role names it.") : tr("No task role uses it."));
        } else {
            parts.append(tr("Used by %1.").arg(users.join(QStringLiteral(", "))));
        }
    }
    m_order->setText(breakable(parts.join(u' ')));
    m_grid->setRowVisible(m_order, !parts.isEmpty());
}

void PrerequisitesPanel::refresh()
{
    const QHash<qsizetype, Severity> worst = worstOfEntries();
    QList<EntryList::Entry> now;
    for (qsizetype i = 0; i < count(); ++i) {
        const YamlPath at = prerequisitesPath().child(i);
        const QString type = m_context->text(at.child(k("type"))).value_or(QString());
        QString detail = m_context->text(at.child(k("uri"))).value_or(QString());
        if (const QStringList uris = m_context->texts(at.child(k("uri"))); !uris.isEmpty()) {
            detail = uris.first() + (uris.size() > 1 ? tr(" and %1 more").arg(uris.size() - 1) : QString());
        }
        now.append({prerequisiteIcon(type), m_context->text(at.child(k("name"))).value_or(tr("(no name)")), detail,
            worst.value(i, Severity::Note)});
    }
    m_list->setReadOnly(m_context->isReadOnly());
    m_list->setEntries(now);
    showEntry();
}

void PrerequisitesPanel::add(const QString &type, const YamlPath &reference)
{
    const QString name = freshName(type == u"dockerimage" ? k("image") : type, m_context->prerequisiteNames());
    const qsizetype at = count();
    const YamlPath made = prerequisitesPath().child(at);
    QList<edit::Op> ops;
    ops.append(edit::SetText{made.child(k("name")), name});
    ops.append(edit::SetText{made.child(k("type")), type});
    if (type == u"dockerimage") {
        ops.append(edit::SetText{made.child(k("uri")), k("ubuntu:22.04")});
    } else if (type == u"script") {
        ops.append(edit::SetText{made.child(k("plugin")), k(cmdPlugin)});
    }
    if (!reference.isEmpty()) {
        ops.append(edit::SetText{reference, name});
    }
    m_context->edit(ops, [this, at](const Result<void> &result) {
        if (result) {
            select(at);
            m_name->edit()->setFocus();
            m_name->edit()->selectAll();
        }
    });
}

} // namespace trainyard
