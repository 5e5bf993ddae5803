// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hostspage.h"

#include "engine/api/hosterrors.h"
#include "engine/api/hoststeps.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/statepainter.h"
#include "widgets/hosts/clusterlist.h"
#include "widgets/hosts/clusterview.h"
#include "widgets/hosts/environmentsview.h"
#include "widgets/hosts/gpusnow.h"
#include "widgets/hosts/hostadding.h"
#include "widgets/hosts/hostcause.h"
#include "widgets/hosts/hostfilesview.h"
#include "widgets/hosts/hosthourview.h"
#include "widgets/hosts/hostjobsview.h"
#include "widgets/hosts/hostlabels.h"
#include "widgets/hosts/hostrow.h"
#include "widgets/hosts/hostuseview.h"
#include "widgets/hosts/shapemark.h"
#include "widgets/hosts/steplist.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int hourEveryMs = 30 * 1000;
constexpr int listWidth = 340;

bool isOfCluster(const HostStep &step) { return step.id == hoststep::cluster; }

// A controller that does not answer now may do so later; without slurm.conf there is nothing to add.
bool mayBeCluster(const HostStep &step)
{
    return isOfCluster(step)
        && (step.state == StepState::Passed
            || (step.state == StepState::Warned && step.code != QLatin1StringView("step.cluster.unconfigured")));
}

QPushButton *headButton(const char *name, const QString &words, const QString &iconName)
{
    auto *button = new QPushButton(icon(iconName), words);
    button->setObjectName(QLatin1StringView(name));
    return button;
}

} // namespace

HostsPage::HostsPage(QWidget *parent)
    : QWidget(parent), m_list(new QListWidget), m_clusters(new ClusterList), m_cluster(new ClusterView),
      m_detail(new QStackedWidget), m_adding(new HostAdding), m_head(new PageHead), m_mark(new ShapeMark),
      m_state(new ColourLabel({}, Colour::Muted)),
      m_check(headButton("hostCheck", tr("Check again"), QStringLiteral("restart"))),
      m_copy(headButton("hostCopy", tr("Copy report"), QStringLiteral("copy"))),
      m_remove(headButton("hostRemove", tr("Remove"), QStringLiteral("remove"))), m_steps(new StepList),
      m_cause(new HostCause),
      m_addCluster(headButton("hostAddCluster", tr("Add this cluster…"), QStringLiteral("plus"))),
      m_trouble(new ColourLabel({}, Colour::Failed)), m_banner(smallMutedLabel({})), m_hour(new HostHourView),
      m_environments(new EnvironmentsView), m_jobs(new HostJobsView), m_use(new HostUseView),
      m_files(new HostFilesView), m_gpus(new GpusNow)
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
    connect(m_adding, &HostAdding::addRequested, this, &HostsPage::addRequested);
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
    connect(m_gpus, &GpusNow::jobRequested, this, &HostsPage::jobRequested);
    connect(m_jobs, &HostJobsView::jobRequested, this, &HostsPage::jobRequested);
    auto *again = new QTimer(this);
    connect(again, &QTimer::timeout, this, [this] {
        if (isVisible()) {
            askForHour();
        }
    });
    again->start(hourEveryMs);
    // It is written with another program.
    connect(qGuiApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive && isVisible()) {
            Q_EMIT namesWanted();
        }
    });
    setFocusProxy(m_list);
}

void HostsPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    Q_EMIT namesWanted();
}

void HostsPage::setHosts(const QList<HostInfo> &hosts)
{
    m_checks.setHosts(hosts);
    m_adding->setHosts(hosts);
    const QString before = chosen();
    const QString cluster = m_clusters->chosen(); // stays chosen, whatever becomes of the rows of hosts
    showRows(hosts, chosenHost().id);
    showChosen();
    if (!cluster.isEmpty()) {
        m_clusters->choose(cluster);
        showCluster();
    }
    m_gpus->setHosts(hosts);
    if (chosen() != before) {
        Q_EMIT chosenChanged();
    }
}

// A row that is only passed over is not a choice.
void HostsPage::showRows(const QList<HostInfo> &hosts, const QString &chosenId)
{
    const QSignalBlocker quiet(m_list);
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
    m_list->setMaximumHeight(std::max(1, m_list->count()) * metrics::hostRow); // the clusters come right below
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
        m_clusters->choose(id.section(QLatin1Char('/'), 0, 0)); // a node has no page of its own
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

// The data that the host itself reports, once each time that it is chosen or comes online.
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
    const HostInfo host = m_checks.shown(chosenHost());
    m_head->setHeading(host.label);
    m_head->setCount(host.target == host.label ? QString() : host.target);
    m_mark->setShape(hostShape(host));
    m_mark->setVisible(!host.id.isEmpty());
    const QString state = hostStateText(host);
    m_state->setText(host.check == StepState::Running ? tr("%1, being checked").arg(state) : state);
    m_state->setColour(colourOf(hostShape(host)));
    m_head->setWords(m_check, hosterror::isLoginWanted(host) ? tr("Log in…") : tr("Check again"));
    m_check->setEnabled(!host.id.isEmpty());
    m_remove->setVisible(!host.target.isEmpty());
    m_head->fit();
    m_cause->setHost(host);
    m_steps->setSteps(host.steps, chosenHost().steps);
    m_steps->showCause(!m_cause->isEmpty());
    m_addCluster->setVisible(std::any_of(host.steps.cbegin(), host.steps.cend(), mayBeCluster));
    // Messages that belong to no step: that a connection was lost, or what is wrong although it exists.
    const QString check = checkText(host);
    const QString trouble = !check.isEmpty() ? check
        : isSaidByAStep(host)                ? QString()
                                             : reasonText(host.error, host.errorArgs);
    m_trouble->setText(trouble);
    m_trouble->setVisible(!trouble.isEmpty());
    m_banner->setText(tr("Its shell prints this before each command: %1").arg(host.banner));
    m_banner->setVisible(!host.banner.isEmpty());
    m_jobs->setHost(host);
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

void HostsPage::setKnownNames(const QStringList &names) { m_adding->setKnownNames(names); }

void HostsPage::setAddError(const QString &text, bool mayBeAdded) { m_adding->setError(text, mayBeAdded); }

} // namespace trainyard
