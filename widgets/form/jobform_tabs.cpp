// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/severitylook.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/datafields.h"
#include "widgets/form/deploymentspanel.h"
#include "widgets/form/extraspanel.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/hostsfields.h"
#include "widgets/form/jobform.h"
#include "widgets/form/jobmore.h"
#include "widgets/form/pluginspanel.h"
#include "widgets/form/prerequisitespanel.h"
#include "widgets/form/resultsfields.h"

#include <QTabBar>

#include <algorithm>

// The tabs of what roles share, and the way to the field of a place in them.
namespace trainyard
{
namespace
{

constexpr int tabPadding = 26;

// Whether what is under extras has its field above the tabs.
bool isAboveTabs(const YamlPath &path)
{
    static const QList<YamlPath> places{{k("extras"), k("gangAllocation")}, {k("extras"), k("trainyard"), k("runIn")},
        {k("extras"), k("trainyard"), k("work")}, {k("extras"), k("hivedScheduler"), k("jobPriorityClass")},
        {k("extras"), k("trainyard"), k("limits")}, hostRulesPath(), dataPath(), resultsPath()};
    return std::any_of(
        places.cbegin(), places.cend(), [&path](const YamlPath &place) { return path.startsWith(place); });
}

} // namespace

YamlPath JobForm::pathOfTab(int tab)
{
    static const char *const sections[]
        = {"parameters", "secrets", "prerequisites", "deployments", "plugins", "extras"};
    return tab == PluginsTab ? PluginsPanel::listPath() : YamlPath{k(sections[tab])};
}

void JobForm::refreshTabs()
{
    const QStringList titles{
        tr("Parameters"), tr("Secrets"), tr("Prerequisites"), tr("Deployments"), tr("Plugins"), tr("Extras")};
    for (int i = 0; i < TabCount; ++i) {
        const qsizetype count = i == ExtrasTab ? m_extras->count() : m_context->count(pathOfTab(i));
        m_tabs->setTabData(i, count > 0 ? titles.at(i) + u' ' + QString::number(count) : titles.at(i));
        m_tabs->setTabToolTip(i, plainTip(titles.at(i)));
    }
    markTabs();
    fitTabs();
}

void JobForm::markTabs()
{
    for (int i = 0; i < TabCount; ++i) {
        const YamlPath path = pathOfTab(i);
        Severity worst = Severity::Note;
        for (const Diagnostic &diagnostic : m_context->diagnostics()) {
            const bool isElsewhere = i == ExtrasTab
                && (diagnostic.path.startsWith(PluginsPanel::listPath()) || isAboveTabs(diagnostic.path));
            if (diagnostic.path.startsWith(path) && !isElsewhere) {
                worst = std::min(worst, diagnostic.severity);
            }
        }
        QWidget *mark = m_tabs->tabButton(i, QTabBar::RightSide);
        if (worst != Severity::Note && !mark) {
            m_tabs->setTabButton(
                i, QTabBar::RightSide, new IconLabel(iconOf(worst), metrics::smallIcon, colourOf(worst)));
            mark = m_tabs->tabButton(i, QTabBar::RightSide);
        } else if (worst == Severity::Note && mark) {
            m_tabs->setTabButton(i, QTabBar::RightSide, nullptr);
            mark->deleteLater();
            mark = nullptr;
        }
        if (mark) {
            static_cast<IconLabel *>(mark)->setIcon(iconOf(worst), colourOf(worst));
        }
    }
}

// With how many there are of each where there is room for all of that.
void JobForm::fitTabs()
{
    int wanted = 0;
    for (int i = 0; i < m_tabs->count(); ++i) {
        wanted += m_tabs->fontMetrics().horizontalAdvance(m_tabs->tabData(i).toString()) + tabPadding;
        wanted += m_tabs->tabButton(i, QTabBar::RightSide) ? metrics::smallIcon + metrics::space2 : 0;
    }
    // All of them or none: one without a number would look empty beside one that has it.
    const bool isCounted = wanted <= m_body->width();
    for (int i = 0; i < m_tabs->count(); ++i) {
        const QString text = isCounted ? m_tabs->tabData(i).toString() : m_tabs->tabToolTip(i);
        if (m_tabs->tabText(i) != text) {
            m_tabs->setTabText(i, text);
        }
    }
}

void JobForm::showPlace(const YamlPath &path, bool scroll)
{
    static const QStringList sections{k("parameters"), k("secrets"), k("prerequisites"), k("deployments")};
    if (path.size() >= 1 && scroll) {
        const QString head = std::get_if<QString>(&path.at(0)) ? std::get<QString>(path.at(0)) : QString();
        if (head == u"taskRoles" && path.size() >= 2 && std::get_if<QString>(&path.at(1))) {
            selectRole(std::get<QString>(path.at(1)));
            m_wantedRole.clear();
        }
        if (path.startsWith(hostRulesPath()) && path.size() > hostRulesPath().size()) {
            const auto *role = std::get_if<QString>(&path.at(hostRulesPath().size()));
            if (role && m_roleNames.contains(*role)) {
                selectRole(*role);
            }
        }
        m_more->showPlace(path);
        if (path.startsWith(PluginsPanel::listPath())) {
            m_tabs->setCurrentIndex(PluginsTab);
            if (const auto *index = path.size() >= 3 ? std::get_if<qsizetype>(&path.at(2)) : nullptr) {
                m_plugins->select(*index);
            }
        } else if (head == u"extras") {
            if (!isAboveTabs(path)) {
                m_tabs->setCurrentIndex(ExtrasTab);
            }
        } else if (const qsizetype tab = sections.indexOf(head); tab >= 0) {
            m_tabs->setCurrentIndex(int(tab));
            const auto *index = path.size() >= 2 ? std::get_if<qsizetype>(&path.at(1)) : nullptr;
            if (tab == PrerequisitesTab && index) {
                m_prerequisites->select(*index);
            } else if (tab == DeploymentsTab && index) {
                m_deployments->select(*index,
                    path.size() >= 4 && std::get_if<QString>(&path.at(3)) ? std::get<QString>(path.at(3)) : QString());
            }
        }
    }
    FormField *field = path.isEmpty() ? nullptr : m_context->fieldAt(path);
    if (m_marked != field) {
        if (m_marked && m_context->fields().contains(m_marked)) {
            m_marked->setHighlighted(false);
        }
        m_marked = field;
        if (field) {
            field->setHighlighted(true);
        }
    }
    if (field && scroll) {
        Disclosure::openAround(field);
    }
    if (field && scroll && field->isVisible()) {
        ensureWidgetVisible(field, 0, metrics::space5);
    } else if (scroll && path.size() >= 1) {
        // Between fields of a card: the card.
        const auto *head = std::get_if<QString>(&path.at(0));
        if (head && (sections.contains(*head) || *head == u"extras")) {
            ensureWidgetVisible(m_tabs, 0, viewport()->height() / 2);
        }
    }
}

} // namespace trainyard
