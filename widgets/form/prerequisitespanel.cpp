// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/prerequisitespanel.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/chainfield.h"
#include "widgets/form/commandsfield.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>

namespace trainyard
{
namespace
{

QString k(const char *key) { return QString::fromLatin1(key); }
const YamlPath &listPath()
{
    static const YamlPath path{QStringLiteral("prerequisites")};
    return path;
}
constexpr int shownRows = 6;

} // namespace

PrerequisitesPanel::PrerequisitesPanel(FormContext *context, QWidget *parent)
    : QWidget(parent), m_context(context), m_list(new QListWidget), m_details(new QWidget), m_grid(new FormGrid)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(metrics::space2);
    m_list->setObjectName(QStringLiteral("prerequisitesList"));
    m_list->setAccessibleName(tr("Prerequisites"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setIconSize({metrics::rowIcon, metrics::rowIcon});
    column->addWidget(m_list);

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(metrics::space2);
    m_add = new QPushButton(icon(QStringLiteral("plus")), tr("Add"));
    m_add->setObjectName(QStringLiteral("prerequisiteAdd"));
    auto *menu = new QMenu(m_add);
    for (const auto &[type, text] : QList<std::pair<QString, QString>>{{k("dockerimage"), tr("Docker image")},
             {k("script"), tr("Script")}, {k("data"), tr("Data")}, {k("output"), tr("Output")}}) {
        QAction *action = menu->addAction(icon(prerequisiteIcon(type)), text, this, [this, type = type] { add(type); });
        action->setObjectName(QStringLiteral("add_") + type);
    }
    m_add->setMenu(menu);
    const auto button = [](const QString &name, const QString &tip) {
        auto *made = new QPushButton(icon(name), QString());
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        made->setFixedWidth(metrics::field);
        return made;
    };
    m_up = button(QStringLiteral("arrow-up"), tr("Earlier in the file"));
    m_down = button(QStringLiteral("arrow-down"), tr("Later in the file"));
    m_remove = button(QStringLiteral("remove"), tr("Remove"));
    m_remove->setObjectName(QStringLiteral("prerequisiteRemove"));
    buttons->addWidget(m_add);
    buttons->addWidget(m_up);
    buttons->addWidget(m_down);
    buttons->addWidget(m_remove);
    buttons->addStretch(1);
    column->addLayout(buttons);

    auto *inside = new QVBoxLayout(m_details);
    inside->setContentsMargins(0, metrics::space1, 0, 0);
    inside->addWidget(m_grid);
    column->addWidget(m_details);

    m_name = new TextField(context, {}, {}, TextField::Empty::Keep);
    m_name->edit()->setObjectName(QStringLiteral("prerequisiteName"));
    m_grid->addField(tr("Name"), m_name);
    m_type = new WordField(context, {},
        {{QString(), tr("not set")}, {k("dockerimage"), tr("Docker image")}, {k("script"), tr("Script")},
            {k("data"), tr("Data")}, {k("output"), tr("Output")}});
    m_type->combo()->setObjectName(QStringLiteral("prerequisiteType"));
    m_grid->addField(tr("Type"), m_type);
    m_uri = new TextField(context, {}, {});
    m_uri->edit()->setObjectName(QStringLiteral("prerequisiteUri"));
    m_grid->addField(tr("Source"), m_uri);
    m_uris = new CommandsField(context, {});
    m_uris->setLines(2, 6);
    m_uris->setPlaceholder(tr("One address or path per item"));
    m_grid->addField(tr("Sources"), m_uris);
    m_plugin = new ChoiceField(context, {}, tr("none: OpenPAI skips the commands"));
    m_plugin->setChoices([] { return QStringList{k("com.microsoft.pai.runtimeplugin.cmd")}; });
    m_plugin->combo()->setObjectName(QStringLiteral("prerequisitePlugin"));
    m_grid->addField(tr("Plugin"), m_plugin);
    m_require = new ChainField(context, {});
    m_require->setHelpWhenFilled(tr("These run before it"));
    m_grid->addField(tr("Requires"), m_require);
    m_starts = new CommandsField(context, {});
    m_starts->setLines(2, 10);
    m_starts->setPlaceholder(tr("Commands before those of the role"));
    m_grid->addField(tr("At start"), m_starts);
    m_succeeds = new CommandsField(context, {});
    m_succeeds->setLines(2, 10);
    m_succeeds->setPlaceholder(tr("Commands after the role has succeeded"));
    m_grid->addField(tr("After success"), m_succeeds);
    m_policy = new WordField(context, {}, {{k("fail"), tr("fails the task")}, {k("ignore"), tr("is ignored")}});
    m_policy->combo()->setObjectName(QStringLiteral("prerequisitePolicy"));
    m_grid->addField(tr("Its failure"), m_policy);
    m_user = new TextField(context, {}, tr("anonymous"));
    m_grid->addField(tr("User"), m_user);
    m_password = new TextField(context, {}, tr("<% $secrets.name %>"));
    m_grid->addField(tr("Password"), m_password);
    m_registry = new TextField(context, {}, tr("the image's own registry"));
    m_grid->addField(tr("Registry"), m_registry);

    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        if (!m_filling) {
            point();
            if (row >= 0 && m_list->hasFocus()) {
                Q_EMIT m_context->fieldFocused(item());
            }
        }
    });
    connect(m_remove, &QPushButton::clicked, this, &PrerequisitesPanel::removeCurrent);
    connect(m_up, &QPushButton::clicked, this, [this] { moveCurrent(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveCurrent(1); });
}

YamlPath PrerequisitesPanel::item() const
{
    return m_list->currentRow() < 0 ? YamlPath() : listPath().child(qsizetype(m_list->currentRow()));
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

void PrerequisitesPanel::point()
{
    const YamlPath at = item();
    m_details->setVisible(!at.isEmpty());
    const bool any = !at.isEmpty() && !m_context->isReadOnly();
    m_remove->setEnabled(any);
    m_up->setEnabled(any && m_list->currentRow() > 0);
    m_down->setEnabled(any && m_list->currentRow() + 1 < m_list->count());
    m_add->setEnabled(!m_context->isReadOnly());
    if (at.isEmpty()) {
        for (FormField *field : QList<FormField *>{m_name, m_type, m_uri, m_uris, m_plugin, m_require, m_starts,
                 m_succeeds, m_policy, m_user, m_password, m_registry}) {
            field->setPath({});
        }
        return;
    }
    const QString type = m_context->text(at.child(k("type"))).value_or(QString());
    const bool image = type == u"dockerimage";
    const YamlNode *uri = m_context->node(at.child(k("uri")));
    const bool list = uri ? uri->isSequence() : type == u"data";
    m_name->setPath(at.child(k("name")));
    m_type->setPath(at.child(k("type")));
    m_uri->setPath(list ? YamlPath() : at.child(k("uri")));
    m_uris->setPath(list ? at.child(k("uri")) : YamlPath());
    m_uri->edit()->setPlaceholderText(image ? tr("name:tag of the image") : tr("address or path, for templates"));
    m_grid->setRowVisible(m_uri, !list);
    m_grid->setRowVisible(m_uris, list);
    m_require->setExcluded(m_context->text(at.child(k("name"))).value_or(QString()));
    m_plugin->setPath(image ? YamlPath() : at.child(k("plugin")));
    m_require->setPath(image ? YamlPath() : at.child(k("require")));
    m_policy->setPath(image ? YamlPath() : at.child(k("failurePolicy")));
    m_starts->setPath(image ? YamlPath() : callback(k("taskStarts")));
    m_succeeds->setPath(image ? YamlPath() : callback(k("taskSucceeds")));
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
    for (QWidget *field : QList<QWidget *>{m_plugin, m_require, m_policy, m_starts, m_succeeds}) {
        m_grid->setRowVisible(field, !image);
    }
    const YamlPath auth = at.child(k("auth"));
    m_user->setPath(image ? auth.child(k("username")) : YamlPath());
    m_password->setPath(image ? auth.child(k("password")) : YamlPath());
    m_registry->setPath(image ? auth.child(k("registryuri")) : YamlPath());
    const QString password = m_context->text(m_password->path()).value_or(QString());
    m_password->setPassword(!password.isEmpty() && !password.contains(u"<%"));
    for (QWidget *field : QList<QWidget *>{m_user, m_password, m_registry}) {
        m_grid->setRowVisible(field, image);
    }
}

void PrerequisitesPanel::refresh()
{
    QStringList now;
    for (qsizetype i = 0; i < m_context->count(listPath()); ++i) {
        const YamlPath at = listPath().child(i);
        now.append(m_context->text(at.child(k("name"))).value_or(tr("(no name)")) + u'\n'
            + m_context->text(at.child(k("type"))).value_or(QString()));
    }
    if (now != m_shown) {
        m_filling = true;
        m_shown = now;
        const int row = m_list->currentRow();
        while (m_list->count() > now.size()) {
            delete m_list->takeItem(m_list->count() - 1);
        }
        for (int i = 0; i < now.size(); ++i) {
            if (i >= m_list->count()) {
                m_list->addItem(QString());
            }
            const QString name = now.at(i).section(u'\n', 0, 0);
            const QString type = now.at(i).section(u'\n', 1);
            m_list->item(i)->setText(name);
            m_list->item(i)->setIcon(icon(prerequisiteIcon(type)));
            m_list->item(i)->setToolTip(type);
        }
        m_list->setCurrentRow(now.isEmpty() ? -1 : std::clamp(row, 0, int(now.size()) - 1));
        const int rows = std::clamp(int(now.size()), 0, shownRows);
        m_list->setFixedHeight(rows * metrics::row + 2);
        m_list->setVisible(rows > 0);
        m_filling = false;
    }
    point();
}

void PrerequisitesPanel::select(qsizetype index)
{
    if (index >= 0 && index < m_list->count()) {
        m_list->setCurrentRow(int(index));
    }
}

void PrerequisitesPanel::add(const QString &type)
{
    const QStringList names = m_context->prerequisiteNames();
    const QString stem = type == u"dockerimage" ? k("image") : type;
    QString name = stem;
    for (int n = 2; names.contains(name); ++n) {
        name = stem + QString::number(n);
    }
    const qsizetype count = m_context->count(listPath());
    const YamlPath made = listPath().child(count);
    QList<edit::Op> ops;
    ops.append(edit::SetText{made.child(k("name")), name});
    ops.append(edit::SetText{made.child(k("type")), type});
    if (type == u"dockerimage") {
        ops.append(edit::SetText{made.child(k("uri")), k("ubuntu:22.04")});
    } else if (type == u"script") {
        ops.append(edit::SetText{made.child(k("plugin")), k("com.microsoft.pai.runtimeplugin.cmd")});
    }
    m_context->edit(ops, [this, count](const Result<void> &result) {
        if (result) {
            select(count);
            m_name->edit()->setFocus();
            m_name->edit()->selectAll();
        }
    });
}

void PrerequisitesPanel::removeCurrent()
{
    const bool last = m_list->count() == 1;
    m_context->edit({edit::Remove{last ? listPath() : item()}});
}

void PrerequisitesPanel::moveCurrent(int by)
{
    const int row = m_list->currentRow();
    m_context->edit({edit::Move{item(), qsizetype(row + by)}}, [this, row, by](const Result<void> &result) {
        if (result) {
            select(row + by);
        }
    });
}

} // namespace trainyard
