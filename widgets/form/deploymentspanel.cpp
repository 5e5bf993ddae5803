// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/deploymentspanel.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/form/commandsfield.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/formops.h"
#include "widgets/form/valuestable.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>

namespace trainyard
{
namespace
{

const YamlPath &deploymentsPath()
{
    static const YamlPath path{QStringLiteral("deployments")};
    return path;
}

void setEntries(QComboBox *box, const QStringList &names)
{
    QStringList present;
    for (int i = 0; i < box->count(); ++i) {
        present.append(box->itemText(i));
    }
    if (present != names) {
        const int index = box->currentIndex();
        const QString text = box->currentText();
        box->clear();
        box->addItems(names);
        const int same = int(names.indexOf(text));
        box->setCurrentIndex(same >= 0 ? same : std::clamp(index, names.isEmpty() ? -1 : 0, int(names.size()) - 1));
    }
}

} // namespace

DeploymentsPanel::DeploymentsPanel(FormContext *context, QWidget *parent)
    : QWidget(parent), m_context(context), m_which(new QComboBox), m_role(new QComboBox), m_details(new QWidget),
      m_grid(new FormGrid)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(metrics::space2);
    m_note = smallMutedLabel(tr("Commands before and after those of a role. A run has one set of them, the active one, "
                                "so the same job serves several places."));
    m_note->setWordWrap(true);
    column->addWidget(m_note);
    auto *row = new QHBoxLayout;
    row->setSpacing(metrics::space2);
    m_which->setObjectName(QStringLiteral("deploymentChoice"));
    m_which->setAccessibleName(tr("Deployment"));
    m_add = new QPushButton(icon(QStringLiteral("plus")), tr("Add"));
    m_add->setObjectName(QStringLiteral("deploymentAdd"));
    const auto button = [](const char *iconName, const QString &tip, const char *objectName) {
        auto *made = new QPushButton(icon(QLatin1String(iconName)), QString());
        made->setObjectName(QLatin1String(objectName));
        made->setToolTip(plainTip(tip));
        made->setAccessibleName(tip);
        made->setFixedWidth(metrics::field);
        return made;
    };
    m_duplicate = button("copy", tr("Duplicate"), "deploymentDuplicate");
    m_remove = button("remove", tr("Remove"), "deploymentRemove");
    row->addWidget(m_which);
    row->addWidget(m_add);
    row->addWidget(m_duplicate);
    row->addWidget(m_remove);
    row->addStretch(1);
    column->addLayout(row);

    auto *inside = new QVBoxLayout(m_details);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->addWidget(m_grid);
    column->addWidget(m_details);
    m_active = new ChoiceField(context, {k("defaults"), k("deployment")}, tr("none is active"));
    m_active->setNone(tr("none"));
    m_active->setChoices([this] {
        QStringList names;
        for (qsizetype i = 0; i < m_context->count(deploymentsPath()); ++i) {
            names.append(m_context->text(deploymentsPath().child(i).child(k("name"))).value_or(QString()));
        }
        return names;
    });
    m_active->combo()->setObjectName(QStringLiteral("deploymentActive"));
    m_grid->addField(tr("Active"), m_active);
    m_name = new TextField(context, {}, {}, TextField::Empty::Keep);
    m_name->edit()->setObjectName(QStringLiteral("deploymentName"));
    m_name->setWriter([this](const QString &to) { return renameOps(*m_context, deployment().child(k("name")), to); });
    m_grid->addField(tr("Name"), m_name);
    m_role->setObjectName(QStringLiteral("deploymentRole"));
    for (QComboBox *box : {m_which, m_role}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(12);
        box->setMinimumWidth(100);
    }
    m_role->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_grid->addRow(tr("Role"), m_role)->setBuddy(m_role);
    m_before = new CommandsField(context, {});
    m_before->setObjectName(QStringLiteral("deploymentBefore"));
    m_before->setPlaceholder(tr("Commands before those of the role"));
    m_before->setLines(2, 10);
    m_grid->addField(tr("Before"), m_before);
    m_after = new CommandsField(context, {});
    m_after->setObjectName(QStringLiteral("deploymentAfter"));
    m_after->setPlaceholder(tr("Commands after those of the role"));
    m_after->setLines(2, 10);
    m_grid->addField(tr("After"), m_after);
    m_protocol = new NumberField(context, {});
    m_protocol->box()->setObjectName(QStringLiteral("deploymentProtocol"));
    m_protocol->box()->setRange(2, 2);
    m_protocol->box()->setDefault(2);
    m_grid->addField(tr("Protocol"), m_protocol);
    m_own = new ValuesTable(context, {}, ValuesTable::Kind::Keys);
    m_own->setNames(QStringLiteral("deploymentKeys"), tr("Other keys"), tr("Add a key"));
    m_own->setKnownKeys({k("name"), k("taskRoles"), k("protocolVersion")});
    m_grid->addField(tr("Other keys"), m_own);

    connect(m_which, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_filling) {
            point();
        }
    });
    connect(m_role, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_filling) {
            point();
        }
    });
    connect(m_add, &QPushButton::clicked, this, &DeploymentsPanel::add);
    connect(m_duplicate, &QPushButton::clicked, this, &DeploymentsPanel::duplicateCurrent);
    connect(m_remove, &QPushButton::clicked, this, &DeploymentsPanel::removeCurrent);
}

YamlPath DeploymentsPanel::deployment() const
{
    return m_which->currentIndex() < 0 ? YamlPath() : deploymentsPath().child(qsizetype(m_which->currentIndex()));
}

void DeploymentsPanel::refresh()
{
    m_filling = true;
    QStringList names;
    for (qsizetype i = 0; i < m_context->count(deploymentsPath()); ++i) {
        names.append(m_context->text(deploymentsPath().child(i).child(k("name"))).value_or(tr("(no name)")));
    }
    setEntries(m_which, names);
    QStringList roles = m_context->keys({k("taskRoles")});
    // A deployment may speak of roles that the job does not have.
    const YamlPath at = deployment();
    if (!at.isEmpty()) {
        for (const QString &role : m_context->keys(at.child(k("taskRoles")))) {
            if (!roles.contains(role)) {
                roles.append(role);
            }
        }
    }
    setEntries(m_role, roles);
    m_filling = false;
    point();
}

void DeploymentsPanel::point()
{
    const YamlPath at = deployment();
    const QString role = m_role->currentText();
    m_details->setVisible(!at.isEmpty());
    m_which->setVisible(!at.isEmpty());
    m_remove->setVisible(!at.isEmpty());
    m_duplicate->setVisible(!at.isEmpty());
    m_duplicate->setEnabled(!m_context->isReadOnly());
    m_protocol->setPath(at.isEmpty() ? YamlPath() : at.child(k("protocolVersion")));
    m_own->setPath(at);
    m_own->refresh();
    m_grid->setRowVisible(m_own, m_own->rowCount() > 0);
    m_add->setEnabled(!m_context->isReadOnly());
    m_remove->setEnabled(!m_context->isReadOnly());
    m_name->setPath(at.isEmpty() ? YamlPath() : at.child(k("name")));
    const bool has = !at.isEmpty() && !role.isEmpty();
    const YamlPath commands = has ? at.child(k("taskRoles")).child(role) : YamlPath();
    m_before->setPath(has ? commands.child(k("preCommands")) : YamlPath());
    m_after->setPath(has ? commands.child(k("postCommands")) : YamlPath());
}

void DeploymentsPanel::select(qsizetype index, const QString &role)
{
    if (index >= 0 && index < m_which->count()) {
        m_which->setCurrentIndex(int(index));
    }
    const int at = m_role->findText(role);
    if (at >= 0) {
        m_role->setCurrentIndex(at);
    }
}

void DeploymentsPanel::add()
{
    const qsizetype count = m_context->count(deploymentsPath());
    const QStringList roles = m_context->keys({k("taskRoles")});
    const QString role = roles.value(0, k("worker"));
    QStringList names;
    for (int i = 0; i < m_which->count(); ++i) {
        names.append(m_which->itemText(i));
    }
    const QString name = freshName(names.isEmpty() ? k("default") : k("deployment"), names);
    const YamlPath made = deploymentsPath().child(count);
    QList<edit::Op> ops;
    ops.append(edit::SetText{made.child(k("name")), name});
    ops.append(edit::SetValue{made.child(k("taskRoles")).child(role), "{}"});
    if (count == 0 && !m_context->text({k("defaults"), k("deployment")})) {
        ops.append(edit::SetText{{k("defaults"), k("deployment")}, name});
    }
    m_context->edit(ops, [this, count](const Result<void> &result) {
        if (result) {
            select(count, {});
        }
    });
}

void DeploymentsPanel::duplicateCurrent()
{
    QStringList names;
    for (int i = 0; i < m_which->count(); ++i) {
        names.append(m_which->itemText(i));
    }
    const qsizetype at = m_which->currentIndex();
    const QString name = freshName(m_which->currentText(), names);
    m_context->edit(
        {edit::Duplicate{deployment(), {}}, edit::SetText{deploymentsPath().child(at + 1).child(k("name")), name}},
        [this, at](const Result<void> &result) {
            if (result) {
                select(at + 1, {});
                m_name->edit()->setFocus();
                m_name->edit()->selectAll();
            }
        });
}

void DeploymentsPanel::removeCurrent()
{
    const YamlPath at = deployment();
    QList<edit::Op> ops;
    if (m_context->text({k("defaults"), k("deployment")}) == m_context->text(at.child(k("name")))) {
        const bool only = m_context->count({k("defaults")}) == 1;
        ops.append(edit::Remove{only ? YamlPath{k("defaults")} : YamlPath{k("defaults"), k("deployment")}});
    }
    ops.append(edit::Remove{m_context->count(deploymentsPath()) == 1 ? deploymentsPath() : at});
    m_context->edit(ops);
}

} // namespace trainyard
