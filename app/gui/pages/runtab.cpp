// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/runtab.h"

#include "app/gui/pages/runlink.h"
#include "widgets/common/icons.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/tokens.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/comparetexts.h"

#include <QPixmap>

namespace trainyard
{

RunTab::RunTab(EngineClient *client, const QString &uuid) : Page(new RunPage), m_uuid(uuid)
{
    m_run = static_cast<RunPage *>(widget());
    new RunLink(client, uuid, m_run);
    connect(m_run, &RunPage::titleChanged, this, [this] {
        Q_EMIT changed();
        Q_EMIT actionsChanged();
    });
    connect(m_run, &RunPage::statusChanged, this, [this](const QString &text) {
        Q_EMIT statusTextChanged(text);
        Q_EMIT actionsChanged();
    });
}

bool RunTab::isKnown() const { return m_run->summary().id != 0; }

bool RunTab::isOver() const { return isFinal(m_run->summary().state); }

void RunTab::setDeleted(bool on)
{
    if (on != m_isDeleted) {
        m_isDeleted = on;
        m_run->setEnabled(!on);
        Q_EMIT actionsChanged();
    }
}

void RunTab::setTemporary(bool on)
{
    if (m_isTemporary != on) {
        m_isTemporary = on;
        Q_EMIT changed();
    }
}

QString RunTab::title() const { return isKnown() || m_formerTitle.isEmpty() ? m_run->title() : m_formerTitle; }

// The runs of a sweep have names that differ in a number only.
QString RunTab::tip() const
{
    const QStringList words = parameterWords(m_run->summary().parameters);
    const QString whole = words.isEmpty() ? title() : QString(title() + u'\n' + words.join(QStringLiteral(", ")));
    return m_isTemporary ? QString(whole + u'\n' + tr("Double-click to keep this tab open")) : whole;
}

QIcon RunTab::icon() const
{
    if (isKnown()) {
        return stateIcon(shapeOf(m_run->summary()));
    }
    QPixmap nothing(metrics::rowIcon, metrics::rowIcon); // no state is known, and the title stays where it is then
    nothing.fill(Qt::transparent);
    return nothing;
}

QString RunTab::statusText() const { return m_run->statusText(); }

bool RunTab::hasYaml() const { return !m_run->maskedYaml().isEmpty(); }

std::optional<ExportedJob> RunTab::exported(bool)
{
    if (!hasYaml()) {
        return std::nullopt;
    }
    return ExportedJob{m_run->maskedYaml(), m_run->summary().name + QStringLiteral(".pai.yaml")};
}

std::optional<SessionTab> RunTab::place() const
{
    SessionTab tab;
    tab.kind = kind;
    tab.uuid = m_uuid;
    tab.layout = m_run->saveLayout();
    tab.name = isKnown() ? title() : m_formerTitle;
    return tab;
}

} // namespace trainyard
