// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/extraspanel.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QListWidget>

namespace trainyard
{
namespace
{

QString k(const char *key) { return QString::fromLatin1(key); }

using Names = QList<const char *>;
const Names topKeys{"protocolVersion", "name", "type", "version", "contributor", "description", "prerequisites",
    "parameters", "secrets", "jobRetryCount", "taskRoles", "deployments", "defaults", "extras"};
const Names roleKeys{"instances", "completion", "taskRetryCount", "prerequisites", "dockerImage", "data", "script",
    "output", "extraContainerOptions", "resourcePerInstance", "commands"};
const Names completionKeys{"minFailedInstances", "minSucceededInstances"};
const Names containerKeys{"shmMB", "infiniband"};
const Names resourceKeys{"gpu", "cpu", "memoryMB", "ports"};
const Names defaultsKeys{"virtualCluster", "deployment"};
const Names extrasKeys{"com.microsoft.pai.runtimeplugin", "gangAllocation", "jobStatusChangeNotification"};
const Names trainyardKeys{"runIn"};

} // namespace

ExtrasPanel::ExtrasPanel(FormContext *context, QWidget *parent)
    : QWidget(parent), m_context(context), m_list(new QListWidget)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(metrics::space2);
    auto *grid = new FormGrid;
    const YamlPath notify{k("extras"), k("jobStatusChangeNotification")};
    auto *boxes = new QWidget;
    auto *row = new QHBoxLayout(boxes);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(metrics::space3);
    for (const auto &[key, text] :
        QList<std::pair<QString, QString>>{{k("running"), tr("running")}, {k("succeeded"), tr("succeeded")},
            {k("failed"), tr("failed")}, {k("stopped"), tr("stopped")}, {k("retried"), tr("retried")}}) {
        auto *field = new CheckField(context, notify.child(key), text, false);
        field->box()->setObjectName(QStringLiteral("notify_") + key);
        field->box()->setFixedHeight(metrics::field);
        row->addWidget(field);
        m_notify.append(field);
    }
    row->addStretch(1);
    grid->addRow(tr("Notify when"), boxes);
    column->addWidget(grid);
    m_note = smallMutedLabel(QString());
    m_note->setWordWrap(true);
    column->addWidget(m_note);
    m_list->setObjectName(QStringLiteral("extrasList"));
    m_list->setAccessibleName(tr("Plugins and other keys"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setIconSize({metrics::rowIcon, metrics::rowIcon});
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->hide(); // until there is something
    column->addWidget(m_list);
    connect(m_list, &QListWidget::itemClicked, this,
        [this](QListWidgetItem *item) { Q_EMIT m_context->jumpRequested(m_shown.at(m_list->row(item)).path); });
    connect(m_list, &QListWidget::itemActivated, this,
        [this](QListWidgetItem *item) { Q_EMIT m_context->jumpRequested(m_shown.at(m_list->row(item)).path); });
}

QList<ExtrasPanel::Line> ExtrasPanel::lines()
{
    QList<Line> all;
    const YamlPath plugins{k("extras"), k("com.microsoft.pai.runtimeplugin")};
    m_plugins = 0;
    for (qsizetype i = 0; i < m_context->count(plugins); ++i) {
        const YamlPath at = plugins.child(i);
        QString text = tr("Plugin %1").arg(m_context->text(at.child(k("plugin"))).value_or(tr("(no name)")));
        const QStringList parameters = m_context->keys(at.child(k("parameters")));
        if (!parameters.isEmpty()) {
            text += QStringLiteral(": ") + parameters.join(QStringLiteral(", "));
        }
        all.append({k("network"), text, at});
        ++m_plugins;
    }
    const auto others = [&](const YamlPath &map, const Names &known, const QString &where) {
        for (const QString &key : m_context->keys(map)) {
            const bool is
                = std::any_of(known.begin(), known.end(), [&](const char *name) { return key == QLatin1String(name); });
            if (!is) {
                all.append({k("document"), where.isEmpty() ? key : where + u'.' + key, map.child(key)});
            }
        }
    };
    others({}, topKeys, {});
    others({k("defaults")}, defaultsKeys, k("defaults"));
    const YamlPath extras{k("extras")};
    Names known = extrasKeys;
    known.append("trainyard");
    others(extras, known, k("extras"));
    others(extras.child(k("trainyard")), trainyardKeys, k("extras.trainyard"));
    for (const QString &role : m_context->keys({k("taskRoles")})) {
        const YamlPath at{k("taskRoles"), role};
        others(at, roleKeys, role);
        others(at.child(k("completion")), completionKeys, role + k(".completion"));
        others(at.child(k("extraContainerOptions")), containerKeys, role + k(".extraContainerOptions"));
        others(at.child(k("resourcePerInstance")), resourceKeys, role + k(".resourcePerInstance"));
        if (all.size() > 500) {
            break;
        }
    }
    return all;
}

void ExtrasPanel::refresh()
{
    const QList<Line> now = lines();
    m_note->setText(now.isEmpty() ? tr("Plugins and keys without a field of their own would be listed here.")
                                  : tr("Plugins and other keys stay as they are; a click goes to the line."));
    if (now == m_shown) {
        return;
    }
    m_shown = now;
    m_list->clear();
    for (const Line &line : now) {
        m_list->addItem(new QListWidgetItem(icon(line.icon, Colour::Muted), line.text));
    }
    m_list->setVisible(!now.isEmpty());
    m_list->setFixedHeight(std::clamp(int(now.size()), 1, 10) * metrics::row + 2);
}

} // namespace trainyard
