// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/extraspanel.h"

#include "widgets/common/flowlayout.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/quietwheel.h"
#include "widgets/common/tablelook.h"
#include "widgets/common/tokens.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/storagesfield.h"
#include "widgets/form/valuestable.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLineEdit>
#include <QListWidget>

namespace trainyard
{
namespace
{

using Names = QList<const char *>;
const Names topKeys{"protocolVersion", "name", "type", "version", "contributor", "description", "prerequisites",
    "parameters", "secrets", "jobRetryCount", "taskRoles", "deployments", "defaults", "extras"};
const Names completionKeys{"minFailedInstances", "minSucceededInstances"};
const Names resourceKeys{"gpu", "cpu", "memoryMB", "ports"};
const Names defaultsKeys{"virtualCluster", "deployment"};
const Names authKeys{"username", "password", "registryuri"};

const YamlPath &extrasPath()
{
    static const YamlPath path{QStringLiteral("extras")};
    return path;
}
constexpr qsizetype mostLines = 500;

} // namespace

ExtrasPanel::ExtrasPanel(FormContext *context, QWidget *parent)
    : QWidget(parent), m_context(context), m_grid(new FormGrid), m_list(new QListWidget)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(metrics::space2);
    column->addWidget(m_grid);
    const YamlPath notify = extrasPath().child(k("jobStatusChangeNotification"));
    auto *boxes = new QWidget;
    auto *row = new FlowLayout(metrics::space3, boxes);
    row->setContentsMargins(0, 0, 0, 0);
    for (const auto &[key, text] :
        QList<std::pair<QString, QString>>{{k("running"), tr("running")}, {k("succeeded"), tr("succeeded")},
            {k("failed"), tr("failed")}, {k("stopped"), tr("stopped")}, {k("retried"), tr("retried")}}) {
        auto *field = new CheckField(context, notify.child(key), text, false);
        field->box()->setObjectName(QStringLiteral("notify_") + key);
        field->box()->setFixedHeight(metrics::field);
        field->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        row->addWidget(field);
    }
    m_grid->addRow(tr("Notify when"), boxes);
    const YamlPath own = extrasPath().child(k("trainyard"));
    auto *storages = new StoragesField(context, extrasPath().child(k("storages")));
    m_grid->addField(tr("Storages"), storages);
    auto *from = new TextField(context, extrasPath().child(k("submitFrom")), tr("the portal plugin that made the job"));
    from->edit()->setObjectName(QStringLiteral("jobSubmitFrom"));
    m_grid->addField(tr("Made by"), from);
    const auto table = [&](const QString &label, const char *name, const YamlPath &path, const QStringList &known,
                           const QString &addText) {
        auto *made = new ValuesTable(context, path, ValuesTable::Kind::Keys);
        made->setNames(QLatin1String(name), label, addText);
        made->setKnownKeys(known);
        m_grid->addField(label, made);
        return made;
    };
    m_trainyard = table(tr("Trainyard"), "trainyardKeys", own,
        {k("runIn"), k("work"), k("hosts"), k("data"), k("results"), k("limits")}, tr("Add a key"));
    m_scheduler = table(tr("Scheduler"), "schedulerKeys", extrasPath().child(k("hivedScheduler")),
        {k("jobPriorityClass"), k("taskRoles")}, tr("Add a key"));
    m_extras = table(tr("Other extras"), "extrasKeys", extrasPath(),
        {k("com.microsoft.pai.runtimeplugin"), k("gangAllocation"), k("jobStatusChangeNotification"), k("trainyard"),
            k("storages"), k("submitFrom"), k("hivedScheduler")},
        tr("Add a key"));
    m_extras->setNote(tr("Kept as they are; OpenPAI accepts any key here."));

    m_note = smallMutedLabel(
        tr("Keys of this file that no field shows. They stay as they are; a click goes to the line."));
    m_note->setWordWrap(true);
    column->addWidget(m_note);
    m_list->setObjectName(QStringLiteral("extrasList"));
    m_list->setAccessibleName(tr("Other keys"));
    m_list->setIconSize({metrics::rowIcon, metrics::rowIcon});
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scrollOnlyWithFocus(m_list);
    m_card = cardAround(m_list);
    m_card->hide(); // until there is something
    column->addWidget(m_card);
    const auto jump
        = [this](QListWidgetItem *item) { Q_EMIT m_context->jumpRequested(m_shown.at(m_list->row(item)).path); };
    connect(m_list, &QListWidget::itemClicked, this, jump);
    connect(m_list, &QListWidget::itemActivated, this, jump);
}

QList<ExtrasPanel::Line> ExtrasPanel::lines()
{
    QList<Line> all;
    const auto others = [&](const YamlPath &map, const Names &known, const QString &where) {
        if (all.size() > mostLines) {
            return;
        }
        for (const QString &key : m_context->keys(map)) {
            const bool is
                = std::any_of(known.begin(), known.end(), [&](const char *name) { return key == QLatin1String(name); });
            if (!is) {
                all.append({where.isEmpty() ? key : where + u'.' + key, map.child(key)});
            }
        }
    };
    others({}, topKeys, {});
    others({k("defaults")}, defaultsKeys, k("defaults"));
    for (const QString &role : m_context->keys({k("taskRoles")})) {
        const YamlPath at{k("taskRoles"), role};
        others(at.child(k("completion")), completionKeys, role + k(".completion"));
        others(at.child(k("resourcePerInstance")), resourceKeys, role + k(".resourcePerInstance"));
    }
    const YamlPath prerequisites{k("prerequisites")};
    for (qsizetype i = 0; i < m_context->count(prerequisites); ++i) {
        const YamlPath at = prerequisites.child(i);
        others(at.child(k("auth")), authKeys, m_context->text(at.child(k("name"))).value_or(QString()) + k(".auth"));
    }
    const YamlPath plugins = extrasPath().child(k("com.microsoft.pai.runtimeplugin"));
    for (qsizetype i = 0; i < m_context->count(plugins); ++i) {
        others(plugins.child(i), {"plugin", "parameters", "failurePolicy", "taskroles", "taskRoles"},
            m_context->text(plugins.child(i).child(k("plugin"))).value_or(k("plugin")));
    }
    return all;
}

qsizetype ExtrasPanel::count() const
{
    qsizetype count = m_shown.size();
    for (const QString &key : m_context->keys(extrasPath())) {
        count += key != u"com.microsoft.pai.runtimeplugin" && key != u"gangAllocation" ? 1 : 0;
    }
    return count;
}

void ExtrasPanel::refresh()
{
    m_grid->setRowVisible(m_scheduler, m_context->node(extrasPath().child(k("hivedScheduler"))) != nullptr);
    const QList<Line> now = lines();
    m_note->setVisible(!now.isEmpty());
    if (now == m_shown) {
        return;
    }
    m_shown = now;
    m_list->clear();
    for (const Line &line : now) {
        auto *item = new QListWidgetItem(icon(QStringLiteral("document"), Colour::Muted), line.text);
        item->setToolTip(plainTip(line.text));
        m_list->addItem(item);
    }
    m_card->setVisible(!now.isEmpty());
    m_list->setFixedHeight(std::clamp(int(now.size()), 1, 10) * metrics::row + 2);
}

} // namespace trainyard
