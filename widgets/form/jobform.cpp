// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/jobform.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/severitylook.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/datafields.h"
#include "widgets/form/deploymentspanel.h"
#include "widgets/form/extraspanel.h"
#include "widgets/form/fieldhelp.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/hostsfields.h"
#include "widgets/form/jobmore.h"
#include "widgets/form/pluginspanel.h"
#include "widgets/form/prerequisitespanel.h"
#include "widgets/form/resultsfields.h"
#include "widgets/form/rolecard.h"
#include "widgets/form/valuestable.h"
#include "widgets/text/texts.h"

#include <QApplication>
#include <QBoxLayout>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

constexpr int widestLockFix = 200;
constexpr int bodyStretch = 100'000; // all the width, up to its most

// As high as its width asks for, and never higher: the least height of a wrapped label is that of its least width, a
// word on a line, and a form of many labels would keep room for it.
class FormContent : public QWidget
{
public:
    using QWidget::QWidget;
    QSize minimumSizeHint() const override { return {QWidget::minimumSizeHint().width(), 0}; }
    int heightForWidth(int width) const override { return std::max(m_least, QWidget::heightForWidth(width)); }
    void setLeast(int height) { m_least = height; }
    int least() const { return m_least; }

private:
    int m_least = 0;
};

// As wide as its tabs: few roles do not need the room of two buttons to scroll by.
class RoleTabs final : public QTabBar
{
public:
    using QTabBar::QTabBar;
    QSize minimumSizeHint() const override { return {1, QTabBar::minimumSizeHint().height()}; }
};

} // namespace

JobForm::JobForm(FormContext *context, QWidget *parent)
    : QScrollArea(parent), m_context(context), m_content(new FormContent)
{
    setObjectName(QStringLiteral("jobForm"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    auto *column = new QVBoxLayout(m_content);
    column->setContentsMargins(metrics::space4, metrics::space2, metrics::space4, metrics::space4);
    column->setSpacing(metrics::space2);
    m_unavailable = new InfoBar;
    m_unavailable->setBoxed(true);
    m_unavailable->setObjectName(QStringLiteral("formUnavailable"));
    m_unavailable->hide();
    connect(m_unavailable, &InfoBar::closed, this, &JobForm::layOutFoot);
    column->addWidget(m_unavailable);
    m_body = new QWidget;
    m_body->setMaximumWidth(metrics::labelColumn + metrics::labelGap + metrics::formMaximum + metrics::space4);
    // In a row of its own: a column asks what is in it for the height at the whole width, and a body that stays
    // narrower breaks its lines elsewhere.
    auto *across = new QHBoxLayout;
    across->addWidget(m_body, bodyStretch);
    across->addStretch(1);
    column->addLayout(across);
    column->addStretch(1);

    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(metrics::space2);
    auto *grid = new FormGrid;
    body->addWidget(grid);
    buildHead(grid);

    auto *roleRow = new QHBoxLayout;
    roleRow->setContentsMargins(0, metrics::space1, 0, 0);
    roleRow->setSpacing(0);
    auto *roleLabel = new ColourLabel(tr("Task roles"), Colour::Muted);
    roleLabel->setFixedWidth(metrics::labelColumn);
    roleLabel->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    roleRow->addWidget(roleLabel);
    roleRow->addSpacing(metrics::labelGap);
    m_roles = new RoleTabs;
    m_roles->setObjectName(QStringLiteral("roleTabs"));
    m_roles->setAccessibleName(tr("Task roles"));
    setTabKind(m_roles, TabKind::Card);
    m_roles->setExpanding(false);
    m_roles->setDrawBase(false);
    m_roles->setFixedHeight(metrics::innerTab); // also before it has tabs
    m_roles->setUsesScrollButtons(true);
    m_roles->setElideMode(Qt::ElideNone);
    m_roles->setFocusPolicy(Qt::StrongFocus);
    m_roles->setContextMenuPolicy(Qt::CustomContextMenu);
    m_roles->setMovable(true);
    m_roles->installEventFilter(this);
    roleLabel->setBuddy(m_roles);
    roleRow->addWidget(m_roles);
    m_addRole = new QToolButton;
    m_addRole->setObjectName(QStringLiteral("roleAdd"));
    m_addRole->setIcon(icon(QStringLiteral("plus")));
    m_addRole->setIconSize({metrics::rowIcon, metrics::rowIcon});
    m_addRole->setFixedSize(metrics::field, metrics::field);
    m_addRole->setAutoRaise(true);
    m_addRole->setToolTip(tr("Add a task role"));
    m_addRole->setAccessibleName(tr("Add a task role"));
    roleRow->addSpacing(metrics::space1);
    roleRow->addWidget(m_addRole);
    roleRow->addStretch(1);
    auto *roles = new QVBoxLayout;
    roles->setSpacing(0);
    roles->addLayout(roleRow);
    m_card = new RoleCard(context);
    roles->addWidget(m_card);
    m_noRole = new EmptyState(EmptyState::Layout::Card); // where the card of the role is to be
    m_noRole->setObjectName(QStringLiteral("noRole"));
    m_noRole->setIcon(QStringLiteral("script"));
    m_noRole->setText(tr("A job needs a task role."));
    m_noRole->setDetail(tr("A task role says what runs: commands, how many tasks, and what each of them needs."));
    m_noRole->setAction(tr("Add a task role"), QStringLiteral("plus"));
    connect(m_noRole, &EmptyState::actionTriggered, this, &JobForm::addRole);
    roles->addWidget(m_noRole);
    body->addLayout(roles);

    m_tabs = new QTabBar;
    m_tabs->setObjectName(QStringLiteral("formTabs"));
    setTabKind(m_tabs, TabKind::Inner);
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(true);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideNone);
    m_tabs->setFocusPolicy(Qt::StrongFocus); // a click there takes the focus from other fields
    m_tabs->installEventFilter(this);
    body->addWidget(m_tabs);
    m_parameters = new ValuesTable(context, {k("parameters")}, ValuesTable::Kind::Parameters);
    m_secrets = new ValuesTable(context, {k("secrets")}, ValuesTable::Kind::Secrets);
    m_prerequisites = new PrerequisitesPanel(context);
    m_deployments = new DeploymentsPanel(context);
    m_plugins = new PluginsPanel(context);
    m_extras = new ExtrasPanel(context);
    // Not a stacked widget, which is as high as its highest page.
    m_pages = {m_parameters, m_secrets, m_prerequisites, m_deployments, m_plugins, m_extras};
    for (QWidget *page : std::as_const(m_pages)) {
        body->addWidget(page); // first: what is shown without a parent is a window
        page->setVisible(page == m_parameters);
        m_tabs->addTab(QString());
    }
    body->addStretch(1);
    setWidget(m_content);
    m_fit = new QTimer(this);
    m_fit->setSingleShot(true);
    m_fit->setInterval(0);
    connect(m_fit, &QTimer::timeout, this, &JobForm::fitContent);
    for (QWidget *each : QList<QWidget *>{m_content, m_body, m_card} + m_pages) {
        each->installEventFilter(this);
    }

    // The meaning of the field with the focus, always in the same place.
    auto *strip = new Ground(Colour::Surface, this);
    strip->setBorders(Qt::TopEdge);
    m_strip = strip;
    auto *stripRow = new QHBoxLayout(strip);
    stripRow->setContentsMargins(metrics::space4, 0, metrics::space4, 0);
    stripRow->setSpacing(metrics::space2);
    stripRow->addWidget(new IconLabel(QStringLiteral("info"), metrics::smallIcon, Colour::Muted));
    m_brief = new ElidedLabel;
    m_brief->setObjectName(QStringLiteral("fieldBrief"));
    m_brief->setColour(Colour::Muted);
    m_brief->setFont(fonts::small());
    m_brief->setElideMode(Qt::ElideRight);
    stripRow->addWidget(m_brief, 1);
    showBrief({});
    connect(m_context, &FormContext::fieldFocused, this, &JobForm::showBrief);

    connect(m_roles, &QTabBar::currentChanged, this, [this](int index) {
        if (!m_filling && index >= 0) {
            m_card->setRole(m_roles->tabData(index).toString());
            m_context->refreshMessages(true);
        }
    });
    connect(m_roles, &QTabBar::tabBarClicked, this, [this](int index) {
        if (index >= 0) {
            Q_EMIT m_context->fieldFocused(rolesPath().child(m_roles->tabData(index).toString()));
        }
    });
    connect(m_roles, &QWidget::customContextMenuRequested, this, &JobForm::openRoleMenu);
    connect(m_addRole, &QToolButton::clicked, this, &JobForm::addRole);
    connect(m_card, &RoleCard::renamed, this, [this](const QString &from, const QString &to) {
        if (currentRole() == from) {
            m_wantedRole = to;
        }
    });
    connect(m_card, &RoleCard::imageWanted, this, [this](const QString &role) {
        m_tabs->setCurrentIndex(PrerequisitesTab);
        m_prerequisites->add(k("dockerimage"), rolesPath().child(role).child(k("dockerImage")));
    });
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        keepScrolled(scrolledTo());
        for (int i = 0; i < m_pages.size(); ++i) {
            m_pages.at(i)->setVisible(i == index);
        }
        // The field of which it tells may be on the other page. While it says nothing, the focus is not in the form.
        if (m_tabs->hasFocus() || !m_strip->isHidden()) {
            showBrief(pathOfTab(index));
        }
    });
    // The contents of a tab at the lower edge would be out of sight.
    connect(m_tabs, &QTabBar::tabBarClicked, this, [this](int index) {
        if (index >= 0) {
            showBrief(pathOfTab(index));
        }
        const int bottom = m_tabs->mapTo(viewport(), QPoint(0, m_tabs->height())).y();
        if (bottom > viewport()->height() * 3 / 4) {
            QTimer::singleShot(0, this, [this] { ensureWidgetVisible(m_tabs, 0, viewport()->height() / 2); });
        }
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        const int least = static_cast<const FormContent *>(m_content)->least();
        if (scrolledTo() < least) {
            keepScrolled(scrolledTo()); // what is out of sight now need not be kept
            m_fit->start();
        }
    });
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, QWidget *now) {
        if (now && !m_content->isAncestorOf(now) && now->window() == window()) {
            showBrief({});
        }
        // By the mouse one is where one has pressed, and nothing moves away below it.
        if (now && m_content->isAncestorOf(now) && QGuiApplication::mouseButtons() == Qt::NoButton) {
            m_toFollow = now;
            m_fit->start();
        }
    });
}

void JobForm::buildHead(FormGrid *grid)
{
    m_name = new TextField(m_context, {k("name")}, tr("letters, digits, - and _"), TextField::Empty::Keep);
    m_name->edit()->setObjectName(QStringLiteral("jobName"));
    grid->addField(tr("Name"), m_name);

    m_retries = new NumberField(m_context, {k("jobRetryCount")});
    m_retries->box()->setObjectName(QStringLiteral("jobRetries"));
    m_retries->box()->setRange(0, 1000);
    m_retries->box()->setDefault(0);
    auto *retryWords = new ElidedLabel(tr("after failures that may pass"));
    retryWords->setElideMode(Qt::ElideRight);
    retryWords->setColour(Colour::Muted);
    retryWords->setFixedHeight(metrics::field);
    auto *retryRow = new QWidget;
    auto *retryBox = new QHBoxLayout(retryRow);
    retryBox->setContentsMargins(0, 0, 0, 0);
    retryBox->setSpacing(metrics::space2);
    retryBox->addWidget(m_retries, 0, Qt::AlignTop);
    retryBox->addWidget(retryWords, 0, Qt::AlignTop);
    retryBox->addStretch(1);
    // Below the row: beside its words they would push them away.
    auto *retryMessages = new FieldMessages(m_context);
    m_retries->setMessages(retryMessages);
    m_retries->setLabel(grid->addRow(tr("Retries"), above(retryRow, retryMessages)));

    m_more = new JobMore(m_context, this);
    m_more->addTo(grid);
}

void JobForm::refreshWork() { m_more->refreshWork(); }

bool JobForm::isMoreOpen() const { return m_more->line()->isOpen(); }

void JobForm::setMoreOpen(bool open) { m_more->line()->setOpen(open); }

void JobForm::refresh()
{
    if (!std::exchange(m_isFilled, true)) {
        // From now on there is something that it would push away.
        m_content->layout()->removeWidget(m_unavailable);
        m_unavailable->setBoxed(false);
        m_unavailable->setParent(this);
        m_unavailable->installEventFilter(this);
    }
    refreshRoles();
    m_more->refresh();
    m_prerequisites->refresh();
    m_deployments->refresh();
    m_plugins->refresh();
    m_extras->refresh();
    m_context->refresh();
    m_card->refresh();
    refreshTabs();
    m_more->refreshSummary();
}

void JobForm::refreshFindings()
{
    m_context->refreshFindings();
    markRoles();
    markTabs();
    m_more->refreshSummary();
}

// Another page of the form may be lower: it does not slide down under the pointer that has chosen it.
void JobForm::keepScrolled(int bottom) { static_cast<FormContent *>(m_content)->setLeast(bottom); }

void JobForm::setLock(const FormLock &lock)
{
    const bool wasLocked = m_context->isLocked();
    m_context->setLocked(lock.isOn());
    m_body->setVisible(!lock.isOn() || m_isFilled); // there is less in it than in the text
    m_body->setEnabled(!lock.isOn());
    if (!lock.isOn()) {
        m_unavailable->hide();
        layOutFoot();
        if (wasLocked) {
            refreshFindings();
        }
        return;
    }
    const QString why = lock.error.isEmpty() ? lock.why
        : m_isFilled
        ? tr("The form is locked until the YAML is valid. Line %1: %2").arg(lock.at.line).arg(lock.error)
        : tr("The form shows nothing until the YAML is valid. Line %1: %2").arg(lock.at.line).arg(lock.error);
    m_unavailable->show(InfoBar::Kind::Waiting, why.toHtmlEscaped());
    if (!lock.fixes.isEmpty()) {
        const Fix &fix = lock.fixes.constFirst();
        const QString title = fixTitle(fix); // a name in it may be of any length
        QPushButton *button = m_unavailable->addAction(fontMetrics().elidedText(title, Qt::ElideMiddle, widestLockFix));
        button->setObjectName(QStringLiteral("formFix"));
        button->setToolTip(plainTip(title));
        connect(button, &QPushButton::clicked, this, [this, fix] { Q_EMIT m_context->fixRequested(fix); });
    }
    if (!lock.error.isEmpty() && (lock.fixes.isEmpty() || !m_isFilled)) {
        QPushButton *button = m_unavailable->addAction(tr("Go to line %1").arg(lock.at.line));
        button->setObjectName(QStringLiteral("formErrorPlace"));
        connect(button, &QPushButton::clicked, this, [this, at = lock.at] { Q_EMIT placeWanted(at); });
    }
    layOutFoot();
    refreshFindings(); // the values are those of another text, and what was wrong there says nothing of this one
}

void JobForm::showBrief(const YamlPath &path)
{
    const QString text = fieldBrief(m_context->document(), path);
    m_brief->setText(text);
    m_strip->setVisible(!text.isEmpty());
    layOutFoot();
}

} // namespace trainyard
