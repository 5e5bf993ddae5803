// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/settings/settingspage.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/settings/actionrow.h"
#include "widgets/settings/choicerow.h"
#include "widgets/settings/settingfamily.h"
#include "widgets/settings/settingrow.h"

#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int widestBody = 860;
constexpr int rowGap = 20;

QString groupTitle(const QString &prefix)
{
    const std::pair<const char *, QString> titles[] = {
        {"engine", SettingsPage::tr("Engine")},
        {"stop", SettingsPage::tr("Stopping tasks")},
        {"ports", SettingsPage::tr("Ports")},
        {"gpu", SettingsPage::tr("GPUs")},
        {"disk", SettingsPage::tr("Disk space")},
        {"limits", SettingsPage::tr("Memory and tasks")},
        {"memory", SettingsPage::tr("Memory and tasks")},
        {"tasks", SettingsPage::tr("Memory and tasks")},
        {"retry", SettingsPage::tr("Retries")},
        {"jobs", SettingsPage::tr("Ended jobs")},
        {"log", SettingsPage::tr("Logs")},
        {"metricPatterns", SettingsPage::tr("Metrics")},
        {"hosts", SettingsPage::tr("Hosts")},
        {"results", SettingsPage::tr("Results")},
        {"checkpoints", SettingsPage::tr("Checkpoints")},
        {"data", SettingsPage::tr("Data")},
        {"ssh", SettingsPage::tr("Hosts over ssh")},
        {"catalogue", SettingsPage::tr("Catalogue")},
        {"environment", SettingsPage::tr("Environment of the tasks")},
        {"hostEnvironment", SettingsPage::tr("Environment of the tasks")},
        {"storages", SettingsPage::tr("Storages")},
        {"containers", SettingsPage::tr("Containers")},
        {"health", SettingsPage::tr("Health of jobs")},
        {"clusters", SettingsPage::tr("Clusters")},
        {"slurm", SettingsPage::tr("Slurm")},
        {"slurmFolder", SettingsPage::tr("Slurm")},
        {"slurmImages", SettingsPage::tr("Slurm")},
        {"slurmLogin", SettingsPage::tr("Slurm")},
        {"slurmModules", SettingsPage::tr("Slurm")},
        {"kubernetes", SettingsPage::tr("Kubernetes")},
        {"kubernetesQueue", SettingsPage::tr("Kubernetes")},
        {"openpai", SettingsPage::tr("OpenPAI")},
        {"openpaiCluster", SettingsPage::tr("OpenPAI")},
        {"openpaiPlain", SettingsPage::tr("OpenPAI")},
        {"openpaiUser", SettingsPage::tr("OpenPAI")},
        {"code", SettingsPage::tr("Code")},
        {"notify", SettingsPage::tr("Notices")},
        {"assistants", SettingsPage::tr("Assistants")},
    };
    for (const auto &[known, title] : titles) {
        if (prefix == QLatin1StringView(known)) {
            return title;
        }
    }
    return prefix;
}

} // namespace

SettingsPage::SettingsPage(const QJsonArray &table, QWidget *parent)
    : QWidget(parent), m_search(new SearchField(SearchField::Kind::Search, tr("Search settings"))),
      m_head(new PageHead(tr("Settings"))), m_bar(new InfoBar), m_scroll(new QScrollArea), m_body(new QWidget),
      m_empty(new EmptyState)
{
    setObjectName(QStringLiteral("settingsPage"));
    m_head->row()->addStretch(1);
    m_search->setAccessibleName(tr("Search settings"));
    m_head->addSearch(m_search, QStringLiteral("settingsSearch"), 220);
    auto *file = new QPushButton(icon(QStringLiteral("document")), tr("Open the file"));
    file->setObjectName(QStringLiteral("settingsFile"));
    file->setToolTip(tr("The same settings as a file, engine.json"));
    m_head->addButton(file);
    connect(file, &QPushButton::clicked, this, &SettingsPage::fileRequested);

    auto *page = new Ground(Colour::Window);
    auto *across = new QHBoxLayout(page);
    across->setContentsMargins(metrics::space4, metrics::space4, metrics::space5, metrics::space5); // below the title
    m_body->setMaximumWidth(widestBody);
    across->addWidget(m_body, 100'000); // all the width, up to its most
    across->addStretch(1);
    auto *column = new QVBoxLayout(m_body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(metrics::space5);
    for (const QJsonValue &value : table) {
        const QJsonObject about = value.toObject();
        const QString key = about.value(QLatin1StringView("key")).toString();
        Group &group = groupOf(key);
        if (key.endsWith(QLatin1StringView(".*"))) {
            auto *family = new SettingFamily(about);
            connect(family, &SettingFamily::changeRequested, this, &SettingsPage::changeRequested);
            group.widget->layout()->addWidget(family);
            group.families.append(family);
        } else {
            auto *setting = new SettingRow(about);
            connect(setting, &SettingRow::changeRequested, this, &SettingsPage::changeRequested);
            group.widget->layout()->addWidget(setting);
            group.rows.append(setting);
        }
    }
    column->addStretch(1);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(page);
    m_empty->setIcon(QStringLiteral("search"));
    m_empty->setText(tr("No setting fits these words."));
    m_empty->setAction(tr("Show all settings"));
    m_empty->hide();
    m_bar->setObjectName(QStringLiteral("settingsBar"));
    m_bar->hide();

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_bar);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(m_empty, 1);
    setFocusProxy(m_search);
    connect(m_search, &QLineEdit::textChanged, this, &SettingsPage::filter);
    connect(m_empty, &EmptyState::actionTriggered, m_search, &QLineEdit::clear);
    filter();
}

// Groups stand where the table first names them.
SettingsPage::Group &SettingsPage::groupOf(const QString &key)
{
    const QString title = groupTitle(key.section(QLatin1Char('.'), 0, 0));
    const auto known
        = std::find_if(m_groups.begin(), m_groups.end(), [&title](const Group &group) { return group.title == title; });
    if (known != m_groups.end()) {
        return *known;
    }
    m_groups.append(makeGroup(title));
    m_body->layout()->addWidget(m_groups.constLast().widget);
    return m_groups.last();
}

SettingsPage::Group SettingsPage::makeGroup(const QString &title)
{
    auto *widget = new QWidget;
    auto *column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(rowGap);
    column->addWidget(headingLabel(title));
    return {widget, title, {}, {}, {}};
}

void SettingsPage::addWindowChoice(const QString &name, const QString &help, const QActionGroup *choices)
{
    if (m_groups.isEmpty() || m_groups.constFirst().choices.isEmpty()) {
        m_groups.prepend(makeGroup(tr("Window")));
        static_cast<QVBoxLayout *>(m_body->layout())->insertWidget(0, m_groups.constFirst().widget);
    }
    auto *row = new ChoiceRow(name, help, choices);
    m_groups.first().widget->layout()->addWidget(row);
    m_groups.first().choices.append(row);
    filter();
}

void SettingsPage::addWindowAction(const QString &name, const QString &help, QAction *action)
{
    auto *row = new ActionRow(name, help, action);
    m_groups.first().widget->layout()->addWidget(row);
    m_groups.first().actions.append(row);
    filter();
}

void SettingsPage::setValues(const QJsonObject &values)
{
    for (const Group &group : std::as_const(m_groups)) {
        for (SettingRow *row : group.rows) {
            row->setValue(values.value(row->key()));
        }
        for (SettingFamily *family : group.families) {
            family->setValues(values);
        }
    }
    filter(); // entries are found by their names
}

void SettingsPage::setError(const QString &key, const QString &sentence)
{
    for (const Group &group : std::as_const(m_groups)) {
        for (SettingRow *row : group.rows) {
            if (row->key() == key) {
                row->setError(sentence);
            }
        }
        for (SettingFamily *family : group.families) {
            if (key.startsWith(family->prefix())) {
                family->setError(sentence);
            }
        }
    }
}

void SettingsPage::setUnavailable(const QString &sentence)
{
    for (const Group &group : std::as_const(m_groups)) {
        group.widget->setEnabled(sentence.isEmpty() || !group.choices.isEmpty());
    }
    if (sentence.isEmpty()) {
        m_bar->hide();
    } else {
        m_bar->show(InfoBar::Kind::Waiting, sentence.toHtmlEscaped());
        m_bar->setClosable(false);
    }
}

void SettingsPage::filter()
{
    const QStringList typed = m_search->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int shown = 0;
    int all = 0;
    for (const Group &group : std::as_const(m_groups)) {
        all += int(group.size());
        int inGroup = 0;
        QStringList left = typed; // what the heading above it does not say
        left.removeIf([&group](const QString &word) { return group.title.contains(word, Qt::CaseInsensitive); });
        const QString words = left.join(QLatin1Char(' '));
        const auto show = [&](auto *each) {
            const bool fits = each->fits(words);
            each->setVisible(fits);
            inGroup += fits;
        };
        std::for_each(group.rows.cbegin(), group.rows.cend(), show);
        std::for_each(group.families.cbegin(), group.families.cend(), show);
        std::for_each(group.choices.cbegin(), group.choices.cend(), show);
        std::for_each(group.actions.cbegin(), group.actions.cend(), show);
        group.widget->setVisible(inGroup > 0);
        shown += inGroup;
    }
    m_head->setCount(shown == all ? tr("%n setting(s)", nullptr, all) : tr("%1 of %2").arg(shown).arg(all));
    m_scroll->setVisible(shown > 0);
    m_empty->setVisible(shown == 0);
}

} // namespace trainyard
