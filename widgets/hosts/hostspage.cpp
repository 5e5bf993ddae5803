// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hostspage.h"

#include "engine/api/hoststeps.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/hosts/addtrouble.h"
#include "widgets/hosts/clusterlist.h"
#include "widgets/hosts/clusterview.h"
#include "widgets/hosts/environmentsview.h"
#include "widgets/hosts/gputable.h"
#include "widgets/hosts/hostcause.h"
#include "widgets/hosts/hostfilesview.h"
#include "widgets/hosts/hosthourview.h"
#include "widgets/hosts/hostlabels.h"
#include "widgets/hosts/hostrow.h"
#include "widgets/hosts/hostuseview.h"
#include "widgets/hosts/shapemark.h"
#include "widgets/hosts/steplist.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"

#include <QAction>
#include <QClipboard>
#include <QCompleter>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QStringListModel>
#include <QTimer>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int hourEveryMs = 30 * 1000;
constexpr int listWidth = 340, listLeast = 240, detailLeast = 360;

bool isOfCluster(const HostStep &step) { return step.id == hoststep::cluster; }

bool hasResult(const HostStep &step) { return step.state != StepState::Waiting && step.state != StepState::Running; }

// While a host is tried again, what the last check has found stands until there is something new in its place.
HostInfo withLastResults(const HostInfo &now, const HostInfo &last)
{
    HostInfo shown = now;
    for (HostStep &step : shown.steps) {
        const auto same = std::find_if(last.steps.cbegin(), last.steps.cend(),
            [&step](const HostStep &each) { return each.id == step.id && hasResult(each); });
        if (same != last.steps.cend() && !hasResult(step)) {
            step = *same;
        }
    }
    if (shown.banner.isEmpty()) {
        shown.banner = last.banner;
    }
    return shown;
}

QPushButton *headButton(const char *name, const QString &words, const QString &iconName)
{
    auto *button = new QPushButton(icon(iconName), words);
    button->setObjectName(QLatin1StringView(name));
    return button;
}

// Where the texts of the steps begin.
QLayout *belowTexts(QWidget *widget)
{
    auto *row = new QHBoxLayout;
    row->setContentsMargins(stepTextsLeft(), 0, metrics::space4, 0);
    row->addWidget(widget);
    row->addStretch();
    return row;
}

} // namespace

HostsPage::HostsPage(QWidget *parent)
    : QWidget(parent), m_list(new QListWidget), m_clusters(new ClusterList), m_cluster(new ClusterView),
      m_detail(new QStackedWidget), m_address(new QLineEdit), m_add(new QPushButton(tr("Check and add"))),
      m_pick(m_address->addAction(icon(QStringLiteral("chevron-down"), Colour::Muted), QLineEdit::TrailingPosition)),
      m_addTrouble(new AddTrouble(m_address)), m_head(new PageHead), m_mark(new ShapeMark),
      m_state(new ColourLabel({}, Colour::Muted)),
      m_check(headButton("hostCheck", tr("Check again"), QStringLiteral("restart"))),
      m_copy(headButton("hostCopy", tr("Copy report"), QStringLiteral("copy"))),
      m_remove(headButton("hostRemove", tr("Remove"), QStringLiteral("remove"))), m_steps(new StepList),
      m_cause(new HostCause),
      m_addCluster(headButton("hostAddCluster", tr("Add this cluster…"), QStringLiteral("plus"))),
      m_trouble(new ColourLabel({}, Colour::Failed)), m_banner(smallMutedLabel({})), m_hour(new HostHourView),
      m_environments(new EnvironmentsView), m_use(new HostUseView), m_files(new HostFilesView),
      m_gpuCount(smallMutedLabel({})), m_which(new SegmentedControl({tr("All"), tr("Free"), tr("Of others")})),
      m_gpus(new GpuTable), m_noGpus(new EmptyState(EmptyState::Layout::Side))
{
    auto *splitter = new QSplitter;
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(makeSide());
    m_detail->setMinimumWidth(detailLeast);
    m_detail->addWidget(makeDetail());
    m_cluster->setMinimumWidth(detailLeast);
    m_detail->addWidget(m_cluster);
    splitter->addWidget(m_detail);
    splitter->setSizes({listWidth, 3 * listWidth});
    splitter->setStretchFactor(1, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    connect(m_list, &QListWidget::currentItemChanged, this, [this] {
        showChosen();
        Q_EMIT chosenChanged();
    });
    connect(m_list, &QListWidget::itemSelectionChanged, this, [this] {
        if (!m_list->selectedItems().isEmpty()) {
            m_clusters->choose({}); // one of either
        }
    });
    connect(m_clusters, &ClusterList::chosenChanged, this, [this] {
        showCluster();
        Q_EMIT chosenChanged();
    });
    connect(m_add, &QPushButton::clicked, this, [this] { add(false); });
    connect(m_address, &QLineEdit::returnPressed, this, [this] { add(false); });
    connect(m_addTrouble, &AddTrouble::anywayRequested, this, [this] { add(true); });
    connect(m_check, &QPushButton::clicked, this, [this] { Q_EMIT checkRequested(chosenHost().id); });
    connect(m_addCluster, &QPushButton::clicked, this, [this] {
        const QList<HostStep> steps = chosenHost().steps;
        const auto step = std::find_if(steps.cbegin(), steps.cend(), isOfCluster);
        if (step != steps.cend()) {
            Q_EMIT clusterOffered(step->args.value(QLatin1StringView("host")).toString());
        }
    });
    connect(m_remove, &QPushButton::clicked, this, [this] { Q_EMIT removeRequested(chosenHost().id); });
    connect(m_use, &HostUseView::changeRequested, this, &HostsPage::changeRequested);
    connect(m_use, &HostUseView::releaseRequested, this, &HostsPage::releaseRequested);
    connect(m_files, &HostFilesView::cleanRequested, this, [this] { Q_EMIT cleanRequested(chosenHost().id); });
    connect(m_files, &HostFilesView::emptyRequested, this, [this] { Q_EMIT emptyRequested(chosenHost()); });
    connect(m_copy, &QPushButton::clicked, this, [this] {
        if (const HostInfo host = chosenHost(); !host.id.isEmpty()) {
            QGuiApplication::clipboard()->setText(hostReport(host));
        }
    });
    connect(m_which, &SegmentedControl::currentChanged, this, [this](int which) {
        m_gpus->setWhich(static_cast<GpuTable::Which>(which));
        showGpus();
    });
    connect(m_gpus, &GpuTable::jobRequested, this, &HostsPage::jobRequested);
    auto *again = new QTimer(this);
    connect(again, &QTimer::timeout, this, [this] {
        if (isVisible()) {
            askForHour();
        }
    });
    again->start(hourEveryMs);
    setFocusProxy(m_list);
}

QWidget *HostsPage::makeSide()
{
    auto *side = new Ground(Colour::Surface);
    side->setMinimumWidth(listLeast);
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *head = new PageHead(tr("Hosts"));
    layout->addWidget(head);
    m_list->setObjectName(QStringLiteral("hostList"));
    m_list->setAccessibleName(tr("Hosts"));
    m_list->setItemDelegate(new HostRowDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(m_list, 1);
    layout->addWidget(new Line(Qt::Horizontal));
    layout->addWidget(m_clusters);
    layout->addWidget(new Line(Qt::Horizontal));
    auto *adding = new QVBoxLayout;
    adding->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, metrics::space4);
    adding->setSpacing(metrics::space2);
    adding->addWidget(smallMutedLabel(tr("Add a host by its address, or its name for ssh")));
    auto *row = new QHBoxLayout;
    row->setSpacing(metrics::space2);
    m_address->setObjectName(QStringLiteral("hostAddress"));
    m_address->setPlaceholderText(tr("user@host:port"));
    m_address->setAccessibleName(tr("Address of the new host"));
    m_pick->setToolTip(tr("The hosts of ~/.ssh/config"));
    connect(m_pick, &QAction::triggered, this, [this] {
        m_address->setFocus();
        m_address->clear(); // of what is typed it offers only what fits
        m_address->completer()->setCompletionPrefix({});
        m_address->completer()->complete();
    });
    row->addWidget(m_address, 1);
    row->addWidget(m_add);
    adding->addLayout(row);
    adding->addWidget(m_addTrouble);
    layout->addLayout(adding);
    return side;
}

QWidget *HostsPage::makeDetail()
{
    auto *detail = new Ground(Colour::Surface);
    detail->setMinimumWidth(detailLeast);
    auto *layout = new QVBoxLayout(detail);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_head->row()->addWidget(m_mark);
    m_head->addMinor(m_state);
    m_head->row()->addStretch(1);
    m_head->addPrimary(m_check);
    m_head->addButton(m_copy);
    m_head->addButton(m_remove);
    layout->addWidget(m_head);

    auto *body = new Ground(Colour::Surface);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (QLabel *label : {static_cast<QLabel *>(m_trouble), m_banner}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, 0);
    }
    column->addWidget(m_trouble);
    m_steps->setCause(m_cause);
    connect(m_cause, &HostCause::shellRequested, this, &HostsPage::shellRequested);
    column->addWidget(m_steps);
    m_addCluster->hide();
    setButtonKind(m_addCluster, ButtonKind::Link);
    m_addCluster->setToolTip(tr("Asks for the options that its jobs need, and makes it a target of Run"));
    column->addLayout(belowTexts(m_addCluster));
    column->addWidget(m_banner);
    column->addSpacing(metrics::space2);
    column->addWidget(new Line(Qt::Horizontal));
    column->addWidget(m_use);
    column->addWidget(m_hour);
    m_filesLine = new Line(Qt::Horizontal);
    column->addWidget(m_filesLine);
    column->addWidget(m_files);
    column->addWidget(new Line(Qt::Horizontal));
    auto *gpuHead = new QHBoxLayout;
    gpuHead->setContentsMargins(metrics::space4, metrics::space2, metrics::space4, metrics::space2);
    gpuHead->setSpacing(metrics::space2);
    gpuHead->addWidget(semiboldLabel(tr("GPUs now")));
    gpuHead->addWidget(m_gpuCount);
    gpuHead->addStretch();
    gpuHead->addWidget(m_which);
    column->addLayout(gpuHead);
    column->addWidget(m_gpus);
    m_noGpus->setContentsMargins(metrics::space1, 0, 0, 0);
    column->addWidget(m_noGpus);
    column->addWidget(m_environments);
    column->addStretch();
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(body);
    layout->addWidget(scroll, 1);
    return detail;
}

void HostsPage::setKnownNames(const QStringList &names)
{
    m_knownNames = names;
    offerNames();
}

// Those that are not there yet.
void HostsPage::offerNames()
{
    QStringList names = m_knownNames;
    names.removeIf([this](const QString &name) {
        return std::any_of(m_hosts.cbegin(), m_hosts.cend(), [&](const HostInfo &host) { return host.target == name; });
    });
    auto *completer = m_address->completer();
    if (!completer) {
        completer = new QCompleter(m_address);
        completer->setModel(new QStringListModel(completer));
        completer->setFilterMode(Qt::MatchContains);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        m_address->setCompleter(completer);
    }
    static_cast<QStringListModel *>(completer->model())->setStringList(names);
    m_pick->setVisible(!names.isEmpty());
}

void HostsPage::setHosts(const QList<HostInfo> &hosts)
{
    m_hosts = hosts;
    QHash<QString, HostInfo> checked;
    for (const HostInfo &host : hosts) {
        checked.insert(host.id, host.state == HostState::Connecting ? m_checked.value(host.id) : host);
    }
    m_checked = checked;
    offerNames();
    const QString before = chosen();
    const QString cluster = m_clusters->chosen(); // stays chosen, whatever becomes of the rows of hosts
    showRows(chosenHost().id);
    showChosen();
    if (!cluster.isEmpty()) {
        m_clusters->choose(cluster);
        showCluster();
    }
    m_gpus->setHosts(hosts);
    showGpus();
    if (chosen() != before) {
        Q_EMIT chosenChanged();
    }
}

// Nobody chooses a row that is only passed on the way.
void HostsPage::showRows(const QString &chosenId)
{
    const QSignalBlocker quiet(m_list);
    const QList<HostInfo> &hosts = m_hosts;
    // Rows stay while their hosts do.
    for (int i = m_list->count() - 1; i >= 0; --i) {
        const auto shown = m_list->item(i)->data(Qt::UserRole).value<HostInfo>();
        if (std::none_of(hosts.cbegin(), hosts.cend(), [&](const HostInfo &host) { return host.id == shown.id; })) {
            delete m_list->takeItem(i);
        }
    }
    for (int i = 0; i < int(hosts.size()); ++i) {
        const HostInfo &host = hosts.at(i);
        QListWidgetItem *item = m_list->item(i);
        if (!item || item->data(Qt::UserRole).value<HostInfo>().id != host.id) {
            item = new QListWidgetItem;
            m_list->insertItem(i, item);
        }
        item->setData(Qt::UserRole, QVariant::fromValue(host));
        item->setData(Qt::AccessibleTextRole, QString(host.label + QStringLiteral(", ") + hostStateText(host)));
        item->setToolTip(plainTip(labelAndAddress(host)));
    }
    while (m_list->count() > int(hosts.size())) { // the order was another one
        delete m_list->takeItem(m_list->count() - 1);
    }
    if (chosenHost().id != chosenId) {
        chooseRow(chosenId); // it may have another row now
    }
    if (m_list->currentRow() < 0 && m_list->count() > 0) {
        m_list->setCurrentRow(0);
    }
}

void HostsPage::choose(const QString &id)
{
    if (clusterPlaceOf(id)) {
        m_clusters->choose(id);
    } else {
        chooseRow(id);
    }
}

void HostsPage::chooseRow(const QString &id)
{
    for (int i = 0; i < m_list->count(); ++i) {
        if (m_list->item(i)->data(Qt::UserRole).value<HostInfo>().id == id) {
            m_list->setCurrentRow(i);
            return;
        }
    }
}

HostInfo HostsPage::chosenHost() const
{
    const QListWidgetItem *item = m_list->currentItem();
    return item ? item->data(Qt::UserRole).value<HostInfo>() : HostInfo();
}

QString HostsPage::chosen() const
{
    const QString cluster = m_clusters->chosen();
    return cluster.isEmpty() ? chosenHost().id : cluster;
}

// While a chosen one is not there yet, the host stays in sight.
void HostsPage::showCluster()
{
    const ShownCluster shown = m_clusters->chosenCluster();
    if (!shown.info.id.isEmpty()) {
        m_cluster->setCluster(shown);
        m_list->clearSelection();
    } else if (QListWidgetItem *host = m_list->currentItem();
               host && m_clusters->chosen().isEmpty() && m_list->selectedItems().isEmpty()) {
        host->setSelected(true);
    }
    m_detail->setCurrentIndex(shown.info.id.isEmpty() ? 0 : 1);
}

// Looked at once for each time that the host comes online while it is shown: it costs the host a walk over the files.
void HostsPage::showFiles(const HostInfo &host)
{
    const bool canTell = host.state == HostState::Online && !host.target.isEmpty();
    m_files->setVisible(canTell);
    m_filesLine->setVisible(canTell);
    if (const QString of = canTell ? host.id : QString(); of != m_filesOf) {
        m_filesOf = of;
        m_files->clear();
        askForFiles();
    }
}

// What the host itself has to say, once for each time that it is chosen or comes online.
void HostsPage::showInsight(const HostInfo &host)
{
    if (const QString of = host.state == HostState::Online ? host.id : QString(); of != m_insightOf) {
        m_insightOf = of;
        m_hour->clear();
        m_environments->clear();
        askForHour();
        if (!of.isEmpty()) {
            Q_EMIT environmentsWanted(of);
        }
    }
}

void HostsPage::askForHour()
{
    if (!m_insightOf.isEmpty()) {
        Q_EMIT hourWanted(m_insightOf);
    }
}

void HostsPage::setHour(const api::HostHistory &history)
{
    if (history.host == m_insightOf) {
        m_hour->setHistory(history, chosenHost().gpus);
    }
}

void HostsPage::setEnvironments(const api::HostEnvironments &found)
{
    if (found.host == m_insightOf) {
        m_environments->setEnvironments(found);
    }
}

void HostsPage::setFiles(const QString &id, const Result<api::HostFiles> &files)
{
    if (id != m_filesOf) {
        return;
    }
    if (files) {
        m_files->setFiles(*files);
    } else {
        m_files->setError(errorText(files.error()));
    }
}

void HostsPage::askForFiles()
{
    if (!m_filesOf.isEmpty()) {
        Q_EMIT filesWanted(chosenHost());
    }
}

void HostsPage::showChosen()
{
    const HostInfo host = withLastResults(chosenHost(), m_checked.value(chosenHost().id));
    m_head->setHeading(host.label);
    m_head->setCount(host.target == host.label ? QString() : host.target);
    m_mark->setShape(hostShape(host.state));
    m_mark->setVisible(!host.id.isEmpty());
    m_state->setText(hostStateText(host));
    m_state->setColour(colourOf(hostShape(host.state)));
    m_check->setText(host.state == HostState::NeedsLogin ? tr("Log in…") : tr("Check again"));
    m_check->setEnabled(!host.id.isEmpty());
    m_remove->setVisible(!host.target.isEmpty());
    m_head->fit();
    m_cause->setHost(host);
    m_steps->setSteps(host.steps);
    m_steps->showCause(!m_cause->isEmpty());
    m_addCluster->setVisible(std::any_of(host.steps.cbegin(), host.steps.cend(), isOfCluster));
    // What no step says: that a connection that stood was lost, or what is wrong although it stands.
    const QString trouble = isSaidByAStep(host) ? QString() : reasonText(host.error, host.errorArgs);
    m_trouble->setText(trouble);
    m_trouble->setVisible(!trouble.isEmpty());
    m_banner->setText(tr("Its shell prints this before each command: %1").arg(host.banner));
    m_banner->setVisible(!host.banner.isEmpty());
    m_use->setVisible(!host.id.isEmpty());
    m_use->setHost(host);
    showInsight(host);
    showFiles(host);
}

void HostsPage::setUseError(const QString &id, const QString &text)
{
    if (id == chosenHost().id) {
        m_use->setError(text);
    }
}

void HostsPage::showGpus()
{
    const int shown = m_gpus->gpuCount();
    const auto hosts = std::count_if(m_hosts.cbegin(), m_hosts.cend(),
        [](const HostInfo &host) { return host.state == HostState::Online && !host.gpus.isEmpty(); });
    m_gpuCount->setText(shown == 0
            ? QString()
            : tr("%1 on %2").arg(shown).arg(hosts == 1 ? tr("one host") : tr("%1 hosts").arg(hosts)));
    m_which->setVisible(hosts > 0);
    m_gpus->setVisible(shown > 0);
    m_noGpus->setVisible(shown == 0);
    m_noGpus->setText(hosts == 0           ? tr("No host that is online has a GPU.")
            : m_which->currentIndex() == 1 ? tr("No GPU is free.")
                                           : tr("No GPU is used by programs of others."));
}

void HostsPage::add(bool anyway)
{
    const QString target = m_address->text().trimmed();
    const bool isUnderWay = !m_address->isEnabled();
    if (!target.isEmpty() && !isUnderWay) {
        m_addTrouble->setAdding(true);
        Q_EMIT addRequested(target, anyway);
    }
}

void HostsPage::setAddError(const QString &text, bool mayBeAdded)
{
    m_addTrouble->setAdding(false);
    m_addTrouble->setText(text, mayBeAdded);
    if (text.isEmpty()) {
        m_address->clear();
    }
}

} // namespace trainyard
