// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/newrole.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/formops.h"
#include "widgets/form/hostsfields.h"
#include "widgets/form/jobform.h"
#include "widgets/form/rolecard.h"

#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <QToolButton>

// The roles of a job as tabs: added, named, moved, taken away.
namespace trainyard
{
namespace
{

constexpr int longestTab = 170, shortestTab = 40; // what a tab has of a name
constexpr int aroundRole = 30; // beside the text of a tab

} // namespace

// The tab of the only role fits into its row, however narrow that is; several are scrolled to.
QString JobForm::roleTabText(const QString &name, qsizetype roles) const
{
    const QString instances = QStringLiteral("  × ")
        + m_context->text(rolesPath().child(name).child(k("instances"))).value_or(k("1")).left(12);
    QFont font = m_roles->font();
    int room = longestTab;
    if (roles == 1) {
        QFont drawn = font;
        drawn.setWeight(QFont::Medium);
        const QWidget *mark = m_roles->count() > 0 ? m_roles->tabButton(0, QTabBar::RightSide) : nullptr;
        const int beside = metrics::labelColumn + metrics::labelGap + metrics::space1 + metrics::field + aroundRole
            + (mark ? metrics::smallIcon + metrics::space1 : 0);
        const int left = m_body->width() - beside - QFontMetrics(drawn).horizontalAdvance(instances);
        if (left < QFontMetrics(drawn).horizontalAdvance(name) && left < longestTab) {
            font = drawn;
            room = std::max(left, shortestTab);
        }
    }
    return plainCaption(QFontMetrics(font).elidedText(name, Qt::ElideMiddle, room)) + instances;
}

void JobForm::fitRoleTab()
{
    if (m_roles->count() == 1) {
        const QString text = roleTabText(m_roles->tabData(0).toString(), 1);
        if (m_roles->tabText(0) != text) {
            m_roles->setTabText(0, text);
        }
    }
}

void JobForm::refreshRoles()
{
    const QStringList names = m_context->keys(rolesPath());
    const QString before = currentRole();
    m_filling = true;
    // A visible tab bar lays out all tabs for every one that comes.
    const bool many = std::abs(int(names.size()) - m_roles->count()) > 4;
    if (many) {
        m_roles->hide();
    }
    while (m_roles->count() > names.size()) {
        m_roles->removeTab(m_roles->count() - 1);
    }
    for (int i = 0; i < names.size(); ++i) {
        const QString text = roleTabText(names.at(i), names.size());
        if (i >= m_roles->count()) {
            m_roles->addTab(QString()); // measured again for each one that comes: texts follow
        }
        if (m_roles->tabText(i) != text) {
            m_roles->setTabText(i, text);
        }
        m_roles->setTabData(i, names.at(i));
        m_roles->setTabToolTip(i, plainTip(names.at(i)));
    }
    markRoles();
    fitRoleTab(); // with its mark
    QString role = before;
    bool isRenamed = false;
    if (!m_wantedRole.isEmpty() && names.contains(m_wantedRole)) {
        role = m_wantedRole;
        m_wantedRole.clear();
        isRenamed = m_card->role() == before && !names.contains(before);
    } else if (!names.contains(role)) {
        // Renamed in the text, or gone: stay at the same place in the row.
        const qsizetype place
            = std::min<qsizetype>(std::max<qsizetype>(0, m_roleNames.indexOf(before)), names.size() - 1);
        role = names.value(place);
    }
    if (many) {
        m_roles->show();
    }
    m_roles->updateGeometry();
    m_roleNames = names;
    if (!names.isEmpty()) {
        m_roles->setCurrentIndex(int(names.indexOf(role)));
    }
    m_filling = false;
    if (m_card->role() != role) {
        m_context->setFollowing(isRenamed);
        m_card->setRole(role);
        m_context->setFollowing(false);
    }
    m_addRole->setEnabled(!m_context->isReadOnly());
    // Without a role there is nothing to fill in, but one to be made.
    const bool none = names.isEmpty();
    m_noRole->setVisible(none);
    m_noRole->action()->setEnabled(!m_context->isReadOnly());
    m_card->setVisible(!none);
    m_roles->setVisible(!none);
    m_addRole->setVisible(!none);
}

// Roles with an error, whether they are shown or not.
void JobForm::markRoles()
{
    QSet<QString> wrong;
    for (const Diagnostic &diagnostic : m_context->diagnostics()) {
        for (const YamlPath &place : {rolesPath(), hostRulesPath()}) {
            if (diagnostic.severity != Severity::Error || diagnostic.path.size() <= place.size()
                || !diagnostic.path.startsWith(place)) {
                continue;
            }
            if (const auto *name = std::get_if<QString>(&diagnostic.path.at(place.size()))) {
                wrong.insert(*name);
            }
        }
    }
    for (int i = 0; i < m_roles->count(); ++i) {
        const bool error = wrong.contains(m_roles->tabData(i).toString());
        QWidget *mark = m_roles->tabButton(i, QTabBar::RightSide);
        if (error && !mark) {
            auto *made = new IconLabel(QStringLiteral("error"), metrics::smallIcon, Colour::Failed);
            made->setToolTip(tr("This role has an error"));
            m_roles->setTabButton(i, QTabBar::RightSide, made);
        } else if (!error && mark) {
            m_roles->setTabButton(i, QTabBar::RightSide, nullptr);
            mark->deleteLater();
        }
    }
}

QString JobForm::currentRole() const { return m_roles->tabData(m_roles->currentIndex()).toString(); }

void JobForm::selectRole(const QString &role)
{
    const qsizetype index = m_roleNames.indexOf(role);
    if (index >= 0) {
        m_roles->setCurrentIndex(int(index));
    } else {
        m_wantedRole = role;
    }
}

void JobForm::addRole()
{
    const QString name = freshName(m_roleNames.isEmpty() ? k("worker") : k("role"), m_roleNames);
    const QStringList images = m_context->prerequisiteNames(k("dockerimage"));
    QList<edit::Op> ops;
    if (m_roleNames.isEmpty() && m_context->document().find(rolesPath())) {
        ops.append(edit::Remove{rolesPath()}); // empty, as it was written
    }
    ops += waitForTheOnlyRole();
    ops += newRoleOps(rolesPath().child(name), images.value(0), !m_roleNames.isEmpty());
    m_wantedRole = name;
    m_context->edit(ops, [this](const Result<void> &result) {
        if (result) {
            m_card->focusName();
        } else {
            m_wantedRole.clear();
        }
    });
}

// Defaults of the only role have another meaning beside a second one, so they are written out. Roles of a job that
// already has several are left as they are.
QList<edit::Op> JobForm::waitForTheOnlyRole() const
{
    if (m_roleNames.size() != 1) {
        return {};
    }
    const YamlPath role = rolesPath().child(m_roleNames.constFirst());
    const YamlNode *completion = m_context->node(role.child(k("completion")));
    const bool canBeSaid = !completion || completion->kind == YamlNode::Kind::Map;
    return canBeSaid && !m_context->node(role.child(k("completion")).child(k("minSucceededInstances")))
        ? QList{waitForAllOp(role)}
        : QList<edit::Op>();
}

void JobForm::openRoleMenu(const QPoint &position)
{
    const QString role = m_roleNames.value(m_roles->tabAt(position));
    if (role.isEmpty()) {
        return;
    }
    const qsizetype index = m_roleNames.indexOf(role);
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("roleMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(
        tr("Go to the line"), this, [this, role] { Q_EMIT m_context->jumpRequested(rolesPath().child(role)); });
    if (!m_context->isReadOnly()) {
        menu->addSeparator();
        menu->addAction(icon(k("copy")), tr("Duplicate"), this, [this, role] { duplicateRole(role); });
        menu->addAction(icon(k("edit")), tr("Rename"), this, [this, role] {
            selectRole(role);
            m_card->focusName();
        });
        menu->addAction(
                icon(k("chevron-left")), tr("Move left"), this, [this, role, index] { moveRole(role, index - 1); })
            ->setEnabled(index > 0);
        menu->addAction(
                icon(k("chevron-right")), tr("Move right"), this, [this, role, index] { moveRole(role, index + 1); })
            ->setEnabled(index + 1 < m_roleNames.size());
        menu->addSeparator();
        menu->addAction(icon(k("remove")), tr("Delete"), this, [this, role] { removeRole(role); })
            ->setEnabled(m_roleNames.size() > 1);
    }
    menu->popup(m_roles->mapToGlobal(position));
}

void JobForm::duplicateRole(const QString &role)
{
    const QString name = freshName(role, m_roleNames);
    m_wantedRole = name;
    // Before it is copied, so that the copy has it as well.
    QList<edit::Op> ops = waitForTheOnlyRole();
    ops.append(edit::Duplicate{rolesPath().child(role), name});
    if (m_context->node(hostRulesPath().child(role))) {
        ops.append(edit::Duplicate{hostRulesPath().child(role), name}); // on the same hosts
    }
    m_context->edit(ops);
}

void JobForm::removeRole(const QString &role)
{
    QList<edit::Op> ops{edit::Remove{rolesPath().child(role)}};
    if (m_context->node(hostRulesPath().child(role))) {
        ops.append(edit::Remove{hostRulesPath().child(role)});
    }
    m_context->edit(ops);
}

void JobForm::moveRole(const QString &role, qsizetype to)
{
    m_wantedRole = role;
    m_context->edit({edit::Move{rolesPath().child(role), to}}, [this, role](const Result<void> &result) {
        if (result) {
            Q_EMIT m_context->fieldFocused(rolesPath().child(role)); // the caret goes along
        } else {
            refreshRoles(); // the tabs as the document has them
        }
    });
}

// The tabs were dragged: the one that is at another place goes there in the document, in one step.
void JobForm::takeTabOrder()
{
    QStringList shown;
    for (int i = 0; i < m_roles->count(); ++i) {
        shown.append(m_roles->tabData(i).toString());
    }
    const QString role = currentRole();
    const qsizetype to = shown.indexOf(role);
    QStringList moved = m_roleNames;
    if (shown == m_roleNames || !moved.removeOne(role)) {
        return;
    }
    moved.insert(to, role);
    if (moved == shown && !m_context->isReadOnly()) {
        moveRole(role, to);
    } else {
        refreshRoles();
    }
}

} // namespace trainyard
