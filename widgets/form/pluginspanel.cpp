// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/pluginspanel.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/form/commandsfield.h"
#include "widgets/form/entrylist.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/rolesfield.h"
#include "widgets/form/valuestable.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

namespace trainyard
{
namespace
{

QString pluginIcon(const QString &plugin)
{
    static const QHash<QString, QString> icons{{k("ssh"), k("key")}, {k("cmd"), k("terminal")}, {k("git"), k("split")},
        {k("teamwise_storage"), k("database")}, {k("tensorboard"), k("chart")}};
    return icons.value(plugin, k("settings"));
}

// The form's fields for the parameters of a plugin; an unknown plugin has none.
QStringList knownParameters(const QString &plugin)
{
    static const QHash<QString, QStringList> all{
        {k("ssh"), {k("jobssh"), k("sshbarrier"), k("sshbarrierTimeout"), k("userssh")}},
        {k("cmd"), {k("callbacks"), k("preCommands"), k("postCommands")}},
        {k("git"), {k("repo_uri"), k("options"), k("clone_dir")}}, {k("teamwise_storage"), {k("storageConfigNames")}},
        {k("tensorboard"), {k("port"), k("logdir")}}};
    return all.value(plugin);
}

constexpr qint64 firstTensorBoardPort = 10000;

} // namespace

const YamlPath &PluginsPanel::listPath()
{
    static const YamlPath path{QStringLiteral("extras"), QStringLiteral("com.microsoft.pai.runtimeplugin")};
    return path;
}

PluginsPanel::PluginsPanel(FormContext *context, QWidget *parent)
    : EntryPanel(context, listPath(), new EntryList(k("plugins"), tr("Plugins")), parent)
{
    m_list->setEmptyText(
        tr("Helpers that run beside the commands: ssh between tasks, TensorBoard, a git clone, storage."));
    for (const auto &[plugin, text] :
        QList<std::pair<QString, QString>>{{k("ssh"), tr("SSH")}, {k("tensorboard"), tr("TensorBoard")},
            {k("git"), tr("Git clone")}, {k("teamwise_storage"), tr("Storage of the team")}, {k("cmd"), tr("Commands")},
            {QString(), tr("Another")}}) {
        QAction *action = m_list->addMenu()->addAction(
            icon(pluginIcon(plugin)), text, this, [this, plugin = plugin] { add(plugin); });
        action->setObjectName(QStringLiteral("plugin_") + plugin);
    }
    build();
}

void PluginsPanel::row(const QString &plugins, const QString &label, FormField *field, const char *key)
{
    YamlPath below;
    for (const QString &part : QString::fromLatin1(key).split(u'/')) {
        below = below.child(part);
    }
    if (!label.isNull()) {
        m_grid->addField(label, field);
    }
    // Without a label it is in a row that is there already.
    m_rows.append({u' ' + plugins + u' ', field, label.isNull() ? field->parentWidget() : field, below});
}

void PluginsPanel::build()
{
    m_plugin = new ChoiceField(m_context, {}, tr("name of the plugin"));
    m_plugin->combo()->setObjectName(QStringLiteral("pluginName"));
    m_plugin->setChoices([] {
        return QStringList{k("ssh"), k("tensorboard"), k("git"), k("teamwise_storage"), k("cmd")};
    });
    m_grid->addField(tr("Plugin"), m_plugin);
    buildSsh();
    buildOthers();
    m_parameters = new ValuesTable(m_context, {}, ValuesTable::Kind::Keys);
    m_parameters->setNames(QStringLiteral("pluginParameters"), tr("Parameters of the plugin"), tr("Add a parameter"));
    m_grid->addField(tr("Parameters"), m_parameters);
    m_roles = new RolesField(m_context, {});
    m_grid->addField(tr("Task roles"), m_roles);
    m_policy = new WordField(m_context, {}, {{k("fail"), tr("fails the task")}, {k("ignore"), tr("is ignored")}});
    m_policy->combo()->setObjectName(QStringLiteral("pluginPolicy"));
    m_grid->addField(tr("Its failure"), m_policy);
}

void PluginsPanel::buildSsh()
{
    auto *between = new CheckField(m_context, {}, tr("Tasks reach each other by ssh"), false);
    between->box()->setObjectName(QStringLiteral("sshJob"));
    between->setHelp(tr("Each task can say: ssh <role>-<index>"));
    row(k("ssh"), tr("Between tasks"), between, "jobssh");
    auto *barrier = new CheckField(m_context, {}, tr("Wait until every task answers"), false);
    barrier->box()->setObjectName(QStringLiteral("sshBarrier"));
    row(k("ssh"), QStringLiteral(""), barrier, "sshbarrier");
    auto *timeout = new NumberField(m_context, {});
    timeout->box()->setObjectName(QStringLiteral("sshTimeout"));
    timeout->box()->setRange(1, 100000);
    timeout->box()->setCharacters(6);
    timeout->box()->setDefault(30);
    auto *minutes = rowLabel(tr("minutes, then the task fails"), timeout->box());
    minutes->setMinimumWidth(40);
    timeout->setLabel(m_grid->addRow(tr("For at most"), beside({timeout, minutes})));
    row(k("ssh"), QString(), timeout, "sshbarrierTimeout");
    m_keyType = new WordField(m_context, {},
        {{QString(), tr("no key of a user")}, {k("custom"), tr("the key below")},
            {k("system"), tr("keys of the profile")}});
    m_keyType->combo()->setObjectName(QStringLiteral("sshKeyType"));
    row(k("ssh"), tr("For people"), m_keyType, "userssh/type");
    m_key = new TextField(m_context, {}, tr("ssh-ed25519 AAAA… you@home"));
    m_key->edit()->setObjectName(QStringLiteral("sshKey"));
    m_key->edit()->setFont(fonts::fixed());
    m_key->setWriter([this](const QString &text) {
        QList<edit::Op> ops{edit::SetText{m_key->path(), text.trimmed()}};
        // A key alone does nothing.
        if (!m_context->text(m_keyType->path())) {
            ops.append(edit::SetText{m_keyType->path(), k("custom")});
        }
        return ops;
    });
    m_chooseKey = new QPushButton(icon(QStringLiteral("key")), tr("Choose…"));
    m_chooseKey->setObjectName(QStringLiteral("sshChooseKey"));
    m_chooseKey->setToolTip(tr("One of the public keys in ~/.ssh"));
    connect(m_chooseKey, &QPushButton::clicked, this, &PluginsPanel::chooseKey);
    auto *line = beside({m_key, m_chooseKey}, 0);
    m_key->setLabel(m_grid->addRow(tr("Public key"), line));
    row(k("ssh"), QString(), m_key, "userssh/value");
}

void PluginsPanel::buildOthers()
{
    const auto text = [this](const char *plugins, const QString &label, const char *name, const QString &placeholder,
                          const char *key) {
        auto *field = new TextField(m_context, {}, placeholder);
        field->edit()->setObjectName(QLatin1String(name));
        row(k(plugins), label, field, key);
    };
    const auto list = [this](const char *plugins, const QString &label, const char *name, const QString &placeholder,
                          const char *key) {
        auto *field = new CommandsField(m_context, {});
        field->setObjectName(QLatin1String(name));
        field->setLines(2, 10);
        field->setPlaceholder(placeholder);
        row(k(plugins), label, field, key);
        return field;
    };
    text("git", tr("Repository"), "gitUri", tr("https://example.org/repository.git"), "repo_uri");
    text("git", tr("Clone to"), "gitFolder", tr("A folder of the try"), "clone_dir");
    list("git", tr("Options"), "gitOptions", tr("Options of git clone, one per item, such as --depth=1"), "options");
    list("teamwise_storage", tr("Storages"), "storageNames",
        tr("Names of storages, one per item; none means your default ones"), "storageConfigNames");
    auto *port = new NumberField(m_context, {});
    port->box()->setObjectName(QStringLiteral("tensorboardPort"));
    port->box()->setRange(1, 65535);
    port->box()->setCharacters(6);
    port->box()->setDefault(0, tr("needed"));
    row(k("tensorboard"), tr("Port"), port, "port");
    m_logFolders = new ValuesTable(m_context, {}, ValuesTable::Kind::Keys);
    m_logFolders->setNames(QStringLiteral("tensorboardFolders"), tr("Folders of logs"), tr("Add a folder"));
    row(k("tensorboard"), tr("Log folders"), m_logFolders, "logdir");
    m_before = list("cmd", tr("At start"), "pluginBefore", tr("Commands before those of the role"), "preCommands");
    m_after = list("cmd", tr("On success"), "pluginAfter", tr("Commands after the role has succeeded"), "postCommands");
}

// Where commands of the cmd plugin stand: in a callback where there are some, else under the older key.
YamlPath PluginsPanel::commands(const QString &event, const char *key) const
{
    const YamlPath parameters = item().child(k("parameters"));
    const YamlPath callbacks = parameters.child(k("callbacks"));
    const qsizetype present = m_context->count(callbacks);
    for (qsizetype i = 0; i < present; ++i) {
        if (m_context->text(callbacks.child(i).child(k("event"))) == event) {
            return callbacks.child(i).child(k("commands"));
        }
    }
    // The two ways must not be mixed.
    return present > 0 ? callbacks.child(present).child(k("commands")) : parameters.child(k(key));
}

void PluginsPanel::showEntry()
{
    const YamlPath at = item();
    m_details->setVisible(!at.isEmpty());
    const QString plugin = at.isEmpty() ? QString() : m_context->text(at.child(k("plugin"))).value_or(QString());
    m_plugin->setPath(at.isEmpty() ? at : at.child(k("plugin")));
    m_policy->setPath(at.isEmpty() ? at : at.child(k("failurePolicy")));
    // The server's spelling, unless the document has the other one.
    const YamlPath other = at.isEmpty() ? at : at.child(k("taskRoles"));
    m_roles->setPath(at.isEmpty() ? at : m_context->node(other) ? other : at.child(k("taskroles")));
    const YamlPath parameters = at.isEmpty() ? at : at.child(k("parameters"));
    for (const Row &each : std::as_const(m_rows)) {
        const bool used = !at.isEmpty() && each.plugins.contains(u' ' + plugin + u' ');
        YamlPath path;
        if (used) {
            path = parameters;
            for (qsizetype i = 0; i < each.below.size(); ++i) {
                path = path.child(std::get<QString>(each.below.at(i)));
            }
        }
        if (used && each.field == m_before) {
            path = commands(k("taskStarts"), "preCommands");
        } else if (used && each.field == m_after) {
            path = commands(k("taskSucceeds"), "postCommands");
        }
        each.field->setPath(path);
        m_grid->setRowVisible(each.line, used);
    }
    const auto creator = [this](const QString &event) -> std::function<QList<edit::Op>(const QStringList &)> {
        const YamlPath callbacks = item().child(k("parameters")).child(k("callbacks"));
        const qsizetype present = item().isEmpty() ? 0 : m_context->count(callbacks);
        if (present == 0) {
            return {};
        }
        return [callbacks, present, event](const QStringList &texts) {
            const YamlPath made = callbacks.child(present);
            QList<edit::Op> ops{edit::SetText{made.child(k("event")), event}};
            for (qsizetype i = 0; i < texts.size(); ++i) {
                ops.append(edit::SetText{made.child(k("commands")).child(i), texts.at(i)});
            }
            return ops;
        };
    };
    m_before->setCreator(creator(k("taskStarts")));
    m_after->setCreator(creator(k("taskSucceeds")));
    m_chooseKey->setEnabled(!m_context->isReadOnly());
    const QStringList known = knownParameters(plugin);
    m_parameters->setKnownKeys(known);
    m_parameters->setPath(parameters);
    m_parameters->refresh();
    m_parameters->setNote(QString());
    m_grid->setRowVisible(m_parameters, !at.isEmpty() && (known.isEmpty() || m_parameters->rowCount() > 0));
}

QString PluginsPanel::summary(const YamlPath &at, const QString &plugin) const
{
    const YamlPath parameters = at.child(k("parameters"));
    const auto text = [&](const char *key) { return m_context->text(parameters.child(k(key))).value_or(QString()); };
    QStringList parts;
    if (plugin == u"ssh") {
        if (text("jobssh") == u"true") {
            parts.append(tr("between tasks"));
        }
        if (m_context->count(parameters.child(k("userssh"))) > 0) {
            parts.append(tr("for people"));
        }
    } else if (plugin == u"git") {
        parts.append(text("repo_uri"));
    } else if (plugin == u"tensorboard") {
        parts.append(tr("port %1").arg(text("port")));
    } else if (plugin == u"teamwise_storage") {
        parts += m_context->texts(parameters.child(k("storageConfigNames")));
    } else {
        parts += m_context->keys(parameters);
    }
    for (const char *key : {"taskroles", "taskRoles"}) {
        if (const QStringList roles = m_context->texts(at.child(k(key))); !roles.isEmpty()) {
            parts.append(tr("only %1").arg(roles.join(QStringLiteral(", "))));
        }
    }
    return parts.join(QStringLiteral(", "));
}

void PluginsPanel::refresh()
{
    const QHash<qsizetype, Severity> worst = worstOfEntries();
    QList<EntryList::Entry> now;
    for (qsizetype i = 0; i < count(); ++i) {
        const YamlPath at = listPath().child(i);
        const QString plugin = m_context->text(at.child(k("plugin"))).value_or(QString());
        now.append({pluginIcon(plugin), plugin.isEmpty() ? tr("(no name)") : plugin, summary(at, plugin),
            worst.value(i, Severity::Note)});
    }
    m_list->setReadOnly(m_context->isReadOnly());
    m_list->setEntries(now);
    showEntry();
}

void PluginsPanel::add(const QString &plugin)
{
    const qsizetype at = count();
    const YamlPath made = listPath().child(at);
    const YamlPath parameters = made.child(k("parameters"));
    QList<edit::Op> ops;
    ops.append(edit::SetText{made.child(k("plugin")), plugin.isEmpty() ? k("plugin") : plugin});
    if (plugin == u"ssh") {
        ops.append(edit::SetValue{parameters.child(k("jobssh")), "true"});
    } else if (plugin == u"tensorboard") {
        ops.append(edit::SetValue{parameters.child(k("port")), QByteArray::number(firstTensorBoardPort)});
        ops.append(edit::SetText{parameters.child(k("logdir")).child(k("path")), k("/mnt/tensorboard")});
    } else if (plugin == u"git") {
        ops.append(edit::SetText{parameters.child(k("repo_uri")), k("https://example.org/repository.git")});
    }
    m_context->edit(ops, [this, at](const Result<void> &result) {
        if (result) {
            select(at);
        }
    });
}

void PluginsPanel::chooseKey()
{
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("sshKeyMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QDir folder(QDir::homePath() + QStringLiteral("/.ssh"));
    const QStringList files = folder.entryList({QStringLiteral("*.pub")}, QDir::Files, QDir::Name).mid(0, 30);
    for (const QString &name : files) {
        QFile file(folder.filePath(name));
        constexpr qint64 longestKey = 16384;
        if (!file.open(QIODevice::ReadOnly) || file.size() > longestKey) {
            continue;
        }
        const QString key = QString::fromUtf8(file.readLine(longestKey)).trimmed();
        if (key.section(u' ', 1, 1).isEmpty()) {
            continue;
        }
        const QString shown = key.section(u' ', 2);
        menu->addAction(icon(QStringLiteral("key")),
            plainCaption(shown.isEmpty() ? name : tr("%1 (%2)").arg(name, shown)), this, [this, key] {
                m_key->edit()->setText(key);
                QList<edit::Op> ops{edit::SetText{m_key->path(), key}};
                if (m_context->text(m_keyType->path()) != u"custom") {
                    ops.append(edit::SetText{m_keyType->path(), k("custom")});
                }
                m_context->edit(ops);
            });
    }
    if (menu->isEmpty()) {
        menu->addAction(tr("There is no public key in ~/.ssh. ssh-keygen -t ed25519 makes one."))->setEnabled(false);
    }
    menu->popup(m_chooseKey->mapToGlobal(QPoint(0, m_chooseKey->height() + 2)));
}

} // namespace trainyard
