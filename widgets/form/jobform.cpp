// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/jobform.h"

#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/deploymentspanel.h"
#include "widgets/form/extraspanel.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/prerequisitespanel.h"
#include "widgets/form/rolecard.h"
#include "widgets/form/rolenamefield.h"
#include "widgets/form/valuestable.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QTabBar>
#include <QToolButton>

namespace trainyard
{
namespace
{

QString k(const char *key) { return QString::fromLatin1(key); }
const YamlPath &rolesPath()
{
    static const YamlPath path{QStringLiteral("taskRoles")};
    return path;
}

} // namespace

JobForm::JobForm(FormContext *context, QWidget *parent)
    : QScrollArea(parent), m_context(context), m_content(new QWidget)
{
    setObjectName(QStringLiteral("jobForm"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    auto *column = new QVBoxLayout(m_content);
    column->setContentsMargins(metrics::space4, metrics::space2, metrics::space4, metrics::space4);
    column->setSpacing(metrics::space2);
    m_unavailable = new InfoBar;
    m_unavailable->setBoxed(true);
    m_unavailable->setObjectName(QStringLiteral("formUnavailable"));
    m_unavailable->hide();
    column->addWidget(m_unavailable);
    m_body = new QWidget;
    m_body->setMaximumWidth(metrics::labelColumn + metrics::labelGap + metrics::formMaximum + metrics::space4);
    column->addWidget(m_body);
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
    m_roles = new QTabBar;
    m_roles->setObjectName(QStringLiteral("roleTabs"));
    m_roles->setAccessibleName(tr("Task roles"));
    setTabKind(m_roles, TabKind::Card);
    m_roles->setExpanding(false);
    m_roles->setDrawBase(false);
    m_roles->setFixedHeight(metrics::innerTab); // also before it has tabs
    m_roles->setUsesScrollButtons(true);
    m_roles->setElideMode(Qt::ElideNone);
    m_roles->setContextMenuPolicy(Qt::CustomContextMenu);
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
    body->addLayout(roles);

    m_tabs = new QTabBar;
    m_tabs->setObjectName(QStringLiteral("formTabs"));
    setTabKind(m_tabs, TabKind::Inner);
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(true);
    m_tabs->setUsesScrollButtons(true);
    body->addWidget(m_tabs);
    m_parameters = new ValuesTable(context, {k("parameters")}, ValuesTable::Kind::Parameters);
    m_secrets = new ValuesTable(context, {k("secrets")}, ValuesTable::Kind::Secrets);
    m_prerequisites = new PrerequisitesPanel(context);
    m_deployments = new DeploymentsPanel(context);
    m_extras = new ExtrasPanel(context);
    // Not a stacked widget, which is as high as its highest page.
    m_pages = {m_parameters, m_secrets, m_prerequisites, m_deployments, m_extras};
    for (QWidget *page : std::as_const(m_pages)) {
        page->setVisible(page == m_parameters);
        body->addWidget(page);
        m_tabs->addTab(QString());
    }
    body->addStretch(1);
    setWidget(m_content);

    connect(m_roles, &QTabBar::currentChanged, this, [this](int index) {
        if (!m_filling && index >= 0 && index < m_roleNames.size()) {
            m_card->setRole(m_roleNames.at(index));
            m_context->refreshMessages();
        }
    });
    connect(m_roles, &QTabBar::tabBarClicked, this, [this](int index) {
        if (index >= 0 && index < m_roleNames.size()) {
            Q_EMIT m_context->fieldFocused(rolesPath().child(m_roleNames.at(index)));
        }
    });
    connect(m_roles, &QWidget::customContextMenuRequested, this, &JobForm::openRoleMenu);
    connect(m_addRole, &QToolButton::clicked, this, &JobForm::addRole);
    connect(m_card, &RoleCard::renamed, this, [this](const QString &from, const QString &to) {
        if (currentRole() == from) {
            m_wantedRole = to;
        }
    });
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        for (int i = 0; i < m_pages.size(); ++i) {
            m_pages.at(i)->setVisible(i == index);
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
    auto *retryWords = rowLabel(tr("after failures that may pass"));
    retryWords->setMinimumWidth(40);
    m_queue = new Disclosure(tr("Queue"));
    m_queue->setObjectName(QStringLiteral("queueDisclosure"));
    m_queue->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    auto *retryRow = new QWidget;
    auto *retryBox = new QHBoxLayout(retryRow);
    retryBox->setContentsMargins(0, 0, 0, 0);
    retryBox->setSpacing(metrics::space2);
    retryBox->addWidget(m_retries, 0, Qt::AlignTop);
    retryBox->addWidget(retryWords, 0, Qt::AlignTop);
    retryBox->addStretch(1);
    retryBox->addWidget(m_queue, 0, Qt::AlignTop);
    m_retries->setLabel(grid->addRow(tr("Retries"), retryRow));

    auto *queue = new FormGrid;
    auto *cluster = new ChoiceField(m_context, {k("defaults"), k("virtualCluster")}, tr("default"));
    cluster->combo()->setObjectName(QStringLiteral("jobQueue"));
    cluster->setChoices([] { return QStringList{k("default")}; });
    queue->addField(tr("Queue"), cluster);
    auto *gang = new CheckField(m_context, {k("extras"), k("gangAllocation")}, tr("Start all tasks together"), true);
    gang->box()->setObjectName(QStringLiteral("jobGang"));
    gang->setHelp(tr("Otherwise each task starts as soon as there is room, and task retries count."));
    queue->addField(QString(), gang);
    grid->addWide(queue);
    m_queue->setBody(queue);

    m_about = new Disclosure(QString());
    m_about->setObjectName(QStringLiteral("aboutDisclosure"));
    m_about->setAccessibleName(tr("About"));
    grid->addRow(tr("About"), m_about);
    auto *about = new FormGrid;
    auto *description = new TextAreaField(m_context, {k("description")}, tr("What this job is for"));
    description->edit()->setObjectName(QStringLiteral("jobDescription"));
    about->addField(tr("Description"), description);
    auto *contributor = new TextField(m_context, {k("contributor")});
    contributor->edit()->setObjectName(QStringLiteral("jobContributor"));
    about->addField(tr("Contributor"), contributor);
    auto *version = new TextField(m_context, {k("version")}, tr("latest"));
    version->edit()->setObjectName(QStringLiteral("jobVersion"));
    about->addField(tr("Version"), version);
    grid->addWide(about);
    m_about->setBody(about);
}

void JobForm::refresh()
{
    refreshRoles();
    m_prerequisites->refresh();
    m_deployments->refresh();
    m_extras->refresh();
    m_context->refresh();
    m_card->refresh();
    refreshTabs();

    const auto text = [this](const YamlPath &path) { return m_context->text(path).value_or(QString()).simplified(); };
    QStringList first;
    for (const char *key : {"contributor", "version"}) {
        if (const QString value = text({k(key)}); !value.isEmpty()) {
            first.append(value);
        }
    }
    QString about = first.join(QStringLiteral(", "));
    if (const QString value = text({k("description")}); !value.isEmpty()) {
        about += (about.isEmpty() ? QString() : QStringLiteral("  ·  ")) + value;
    }
    m_about->setSummary(about.isEmpty() ? tr("description, contributor, version") : about);
    const QString cluster = text({k("defaults"), k("virtualCluster")});
    const bool gang = text({k("extras"), k("gangAllocation")}) != u"false";
    const QString queue = cluster.isEmpty() ? tr("default") : cluster;
    m_queue->setSummary(gang ? queue : tr("%1, tasks one by one").arg(queue));
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
    // Roles with an error, whether they are shown or not.
    QHash<QString, Severity> worst;
    for (const Diagnostic &diagnostic : m_context->diagnostics()) {
        if (diagnostic.path.size() >= 2 && diagnostic.path.startsWith(rolesPath())
            && diagnostic.severity != Severity::Note) {
            if (const auto *name = std::get_if<QString>(&diagnostic.path.at(1))) {
                worst[*name] = std::min(worst.value(*name, Severity::Note), diagnostic.severity);
            }
        }
    }
    for (int i = 0; i < names.size(); ++i) {
        const QString instances
            = m_context->text(rolesPath().child(names.at(i)).child(k("instances"))).value_or(k("1"));
        const QString text = names.at(i) + QStringLiteral("  × ") + instances.left(12);
        if (i >= m_roles->count()) {
            m_roles->addTab(QString()); // measured again for each one that comes: texts follow
        }
        if (m_roles->tabText(i) != text) {
            m_roles->setTabText(i, text);
        }
        m_roles->setTabToolTip(i, names.at(i));
        const bool error = worst.contains(names.at(i)) && worst.value(names.at(i)) == Severity::Error;
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
    QString role = before;
    if (!m_wantedRole.isEmpty() && names.contains(m_wantedRole)) {
        role = m_wantedRole;
        m_wantedRole.clear();
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
        m_card->setRole(role);
    }
    m_addRole->setEnabled(!m_context->isReadOnly());
}

void JobForm::refreshTabs()
{
    static const char *const sections[] = {"parameters", "secrets", "prerequisites", "deployments", "extras"};
    const QStringList titles{tr("Parameters"), tr("Secrets"), tr("Prerequisites"), tr("Deployments"), tr("Plugins")};
    for (int i = 0; i < TabCount; ++i) {
        const YamlPath path{k(sections[i])};
        const qsizetype count = i == ExtrasTab ? m_extras->pluginCount() : m_context->count(path);
        const QString text = count > 0 ? titles.at(i) + u' ' + QString::number(count) : titles.at(i);
        if (m_tabs->tabText(i) != text) {
            m_tabs->setTabText(i, text);
        }
        Severity worst = Severity::Note;
        for (const Diagnostic &diagnostic : m_context->diagnostics()) {
            if (diagnostic.path.startsWith(path)) {
                worst = std::min(worst, diagnostic.severity);
            }
        }
        QWidget *mark = m_tabs->tabButton(i, QTabBar::RightSide);
        if (worst != Severity::Note && !mark) {
            m_tabs->setTabButton(
                i, QTabBar::RightSide, new IconLabel(QStringLiteral("warning"), metrics::smallIcon, Colour::Waiting));
            mark = m_tabs->tabButton(i, QTabBar::RightSide);
        } else if (worst == Severity::Note && mark) {
            m_tabs->setTabButton(i, QTabBar::RightSide, nullptr);
            mark->deleteLater();
            mark = nullptr;
        }
        if (mark) {
            const bool error = worst == Severity::Error;
            static_cast<IconLabel *>(mark)->setIcon(
                error ? QStringLiteral("error") : QStringLiteral("warning"), error ? Colour::Failed : Colour::Waiting);
        }
    }
}

void JobForm::setUnavailable(const QString &why)
{
    if (why.isEmpty()) {
        m_unavailable->hide();
        m_body->setEnabled(true);
        return;
    }
    m_unavailable->show(InfoBar::Kind::Waiting, why.toHtmlEscaped());
    m_body->setEnabled(false);
}

QString JobForm::currentRole() const { return m_roleNames.value(m_roles->currentIndex()); }

void JobForm::selectRole(const QString &role)
{
    const qsizetype index = m_roleNames.indexOf(role);
    if (index >= 0) {
        m_roles->setCurrentIndex(int(index));
    } else {
        m_wantedRole = role;
    }
}

void JobForm::showPlace(const YamlPath &path, bool scroll)
{
    static const QStringList sections{k("parameters"), k("secrets"), k("prerequisites"), k("deployments"), k("extras")};
    if (path.size() >= 1 && scroll) {
        const QString head = std::get_if<QString>(&path.at(0)) ? std::get<QString>(path.at(0)) : QString();
        if (head == u"taskRoles" && path.size() >= 2 && std::get_if<QString>(&path.at(1))) {
            selectRole(std::get<QString>(path.at(1)));
            m_wantedRole.clear();
        }
        const bool inForm = head == u"extras" && path.size() >= 2
            && (path.at(1) == YamlPath::Element(k("gangAllocation"))
                || path.at(1) == YamlPath::Element(k("trainyard")));
        if (const qsizetype tab = sections.indexOf(head); tab >= 0 && !inForm) {
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
    if (field && scroll && field->isVisible()) {
        ensureWidgetVisible(field, 0, metrics::space5);
    }
}

void JobForm::addRole()
{
    QString name = m_roleNames.isEmpty() ? k("worker") : k("role");
    for (int n = 2; m_roleNames.contains(name); ++n) {
        name = k("role") + QString::number(n);
    }
    const QStringList images = m_context->prerequisiteNames(k("dockerimage"));
    const YamlPath at = rolesPath().child(name);
    QList<edit::Op> ops;
    ops.append(edit::SetValue{at.child(k("instances")), "1"});
    if (!images.isEmpty()) {
        ops.append(edit::SetText{at.child(k("dockerImage")), images.first()});
    }
    const YamlPath resources = at.child(k("resourcePerInstance"));
    ops.append(edit::SetValue{resources.child(k("gpu")), "0"});
    ops.append(edit::SetValue{resources.child(k("cpu")), "4"});
    ops.append(edit::SetValue{resources.child(k("memoryMB")), "8192"});
    ops.append(edit::SetText{at.child(k("commands")).child(qsizetype(0)), k("echo hello")});
    m_wantedRole = name;
    m_context->edit(ops, [this](const Result<void> &result) {
        if (result) {
            m_card->focusName();
        } else {
            m_wantedRole.clear();
        }
    });
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
        menu->addAction(icon(k("chevron-left")), tr("Move left"), this, [this, role] { moveRole(role, -1); })
            ->setEnabled(index > 0);
        menu->addAction(icon(k("chevron-right")), tr("Move right"), this, [this, role] { moveRole(role, 1); })
            ->setEnabled(index + 1 < m_roleNames.size());
        menu->addSeparator();
        menu->addAction(icon(k("remove")), tr("Delete"), this, [this, role] { removeRole(role); })
            ->setEnabled(m_roleNames.size() > 1);
    }
    menu->popup(m_roles->mapToGlobal(position));
}

void JobForm::duplicateRole(const QString &role)
{
    QString name = role + k("2");
    for (int n = 3; m_roleNames.contains(name); ++n) {
        name = role + QString::number(n);
    }
    // The copy is written by its fields: comments stay with the original.
    QList<edit::Op> ops;
    const std::function<void(const YamlPath &, const YamlPath &)> copy = [&](const YamlPath &from, const YamlPath &to) {
        const YamlNode *node = m_context->node(from);
        if (!node) {
            return;
        }
        if (node->isMap() && !node->entries.isEmpty()) {
            for (const YamlNode::Entry &entry : node->entries) {
                const QString key = QString::fromUtf8(entry.key->scalar);
                copy(from.child(key), to.child(key));
            }
        } else if (node->isSequence() && !node->entries.isEmpty()) {
            bool plain = true;
            for (const YamlNode::Entry &entry : node->entries) {
                plain = plain && entry.value->resolved()->kind == YamlNode::Kind::Scalar;
            }
            if (plain) {
                const QStringList texts = m_context->texts(from);
                for (qsizetype i = 0; i < texts.size(); ++i) {
                    ops.append(edit::SetText{to.child(i), texts.at(i)});
                }
            }
        } else if (const auto source = m_context->source(from)) {
            ops.append(edit::SetValue{to, source->toUtf8()});
        } else if (const auto text = m_context->text(from)) {
            ops.append(edit::SetText{to, *text});
        }
    };
    copy(rolesPath().child(role), rolesPath().child(name));
    m_wantedRole = name;
    m_context->edit(ops);
}

void JobForm::removeRole(const QString &role) { m_context->edit({edit::Remove{rolesPath().child(role)}}); }

void JobForm::moveRole(const QString &role, int by)
{
    m_wantedRole = role;
    m_context->edit({edit::Move{rolesPath().child(role), m_roleNames.indexOf(role) + by}});
}

} // namespace trainyard
