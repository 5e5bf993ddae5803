// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/clusterview.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/style.h"
#include "widgets/hosts/steplist.h"
#include "widgets/text/clustertexts.h"
#include "widgets/text/formats.h"

#include <QClipboard>
#include <QDateTime>
#include <QGraphicsOpacityEffect>
#include <QGridLayout>
#include <QGuiApplication>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{

constexpr int clusterCaptionWidth = 120; // as the names of steps
constexpr qint64 freshMs = 120'000; // of what a check has found
constexpr qreal agedOpacity = 0.6;

QPushButton *clusterButton(const char *name, const QString &words, const QString &iconName)
{
    auto *button = new QPushButton(icon(iconName), words);
    button->setObjectName(QLatin1StringView(name));
    return button;
}

QLabel *clusterValue(const char *name, const QString &caption)
{
    QLabel *label = plainLabel();
    label->setObjectName(QLatin1StringView(name));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setAccessibleName(caption);
    return label;
}

} // namespace

ClusterView::ClusterView()
    : Ground(Colour::Surface), m_head(new PageHead), m_state(new ColourLabel({}, Colour::Muted)),
      m_copy(clusterButton("clusterCopy", tr("Copy report"), QStringLiteral("copy"))),
      m_jobs(clusterButton("clusterJobs", tr("Jobs there…"), QStringLiteral("document"))),
      m_remove(clusterButton("clusterRemove", tr("Remove"), QStringLiteral("remove"))),
      m_change(clusterButton("clusterChange", tr("Change…"), QStringLiteral("edit"))),
      m_check(clusterButton("clusterCheck", tr("Check"), QStringLiteral("restart"))),
      m_trouble(new ColourLabel({}, Colour::Failed)), m_options(clusterValue("clusterOptionsShown", tr("Options"))),
      m_folder(clusterValue("clusterFolderShown", tr("Shared folder"))),
      m_modules(clusterValue("clusterModulesShown", tr("Modules"))), m_seen(new ColourLabel({}, Colour::Muted)),
      m_aging(new QTimer(this)), m_steps(new StepList), m_unchecked(new EmptyState(EmptyState::Layout::Side))
{
    m_state->setObjectName(QStringLiteral("clusterState"));
    m_head->addMinor(m_state);
    m_head->row()->addStretch(1);
    m_head->addPrimary(m_check);
    for (QPushButton *button : {m_copy, m_jobs, m_remove, m_change}) {
        m_head->addButton(button);
    }
    m_trouble->setObjectName(QStringLiteral("clusterTrouble"));
    m_trouble->setWordWrap(true);
    m_trouble->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_trouble->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, 0);
    m_trouble->hide();

    auto *facts = new QGridLayout;
    facts->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, metrics::space3);
    facts->setHorizontalSpacing(metrics::space3);
    facts->setVerticalSpacing(metrics::space2);
    facts->setColumnMinimumWidth(0, clusterCaptionWidth);
    facts->setColumnStretch(1, 1);
    m_optionsCaption = mutedLabel(tr("Options of sbatch"));
    m_folderCaption = mutedLabel(tr("Shared folder"));
    m_modulesCaption = mutedLabel(tr("Modules"));
    facts->addWidget(m_optionsCaption, 0, 0, Qt::AlignTop);
    facts->addWidget(m_options, 0, 1);
    facts->addWidget(m_folderCaption, 1, 0, Qt::AlignTop);
    facts->addWidget(m_folder, 1, 1);
    facts->addWidget(m_modulesCaption, 2, 0, Qt::AlignTop);
    facts->addWidget(m_modules, 2, 1);

    m_unchecked->setObjectName(QStringLiteral("clusterUnchecked"));
    m_unchecked->setAction(tr("Check now"), QStringLiteral("restart"));
    m_unchecked->setContentsMargins(metrics::space1, 0, 0, 0);

    auto *body = new Ground(Colour::Surface);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_trouble);
    column->addLayout(facts);
    column->addWidget(new Line(Qt::Horizontal));
    column->addWidget(m_seen);
    column->addWidget(m_steps);
    column->addWidget(m_unchecked);
    column->addStretch();
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(body);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(scroll, 1);

    m_seen->setObjectName(QStringLiteral("clusterSeen"));
    m_seen->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, 0);
    m_seen->setWordWrap(true);
    m_aging->setSingleShot(true);
    connect(m_aging, &QTimer::timeout, this, &ClusterView::showAge);
    const auto check = [this] { Q_EMIT checkRequested(m_shown.info.id); };
    connect(m_check, &QPushButton::clicked, this, check);
    connect(m_unchecked, &EmptyState::actionTriggered, this, check);
    connect(m_change, &QPushButton::clicked, this, [this] { Q_EMIT changeRequested(m_shown.info.id); });
    connect(m_remove, &QPushButton::clicked, this, [this] { Q_EMIT removeRequested(m_shown.info.id); });
    connect(m_jobs, &QPushButton::clicked, this, [this] { Q_EMIT jobsRequested(m_shown.info.id); });
    m_jobs->setToolTip(plainTip(tr("Your jobs at the cluster, each of which can be opened as a new job")));
    connect(m_copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(clusterReport(m_shown.info)); });
}

void ClusterView::setCluster(const ShownCluster &cluster)
{
    m_shown = cluster;
    const ClusterInfo &info = cluster.info;
    m_head->setHeading(info.name);
    m_head->setCount(clusterKindText(info.kind));
    m_state->setText(clusterStateText(info));
    m_state->setColour(
        info.error.isEmpty() && !isSilentCluster(info) && !failsCheck(info) ? Colour::Muted : Colour::Failed);
    // A removed cluster is only followed.
    for (QPushButton *button : {m_remove, m_change, m_check}) {
        button->setVisible(info.isNamed);
    }
    m_jobs->setVisible(info.isNamed && info.kind == openPaiKind); // others keep no documents
    m_check->setEnabled(!cluster.isChecking);
    m_head->setWords(m_check,
        cluster.isChecking         ? tr("Checking…")
            : info.steps.isEmpty() ? tr("Check")
                                   : tr("Check again"));
    m_head->fit();
    const QString trouble = clusterTroubleText(info);
    m_trouble->setText(trouble);
    m_trouble->setVisible(!trouble.isEmpty());
    const bool isOpenPai = info.kind == openPaiKind, isKubernetes = info.kind == kubernetesKind;
    m_optionsCaption->setText(isOpenPai ? tr("Address")
            : isKubernetes              ? tr("Options of kubectl")
                                        : tr("Options of sbatch"));
    for (QLabel *label : {m_folderCaption, m_folder}) {
        label->setVisible(!isOpenPai && !isKubernetes); // they share none with this computer
    }
    for (QLabel *label : {m_modulesCaption, m_modules}) {
        label->setVisible(!info.modules.isEmpty());
    }
    m_modules->setText(info.modules.join(QStringLiteral(", ")));
    m_unchecked->setText(isOpenPai
            ? tr("A check asks for the version, your login, the virtual clusters and the storages. Nothing is "
                 "submitted.")
            : isKubernetes
            ? tr("A check asks kubectl for the cluster, JobSet, your rights, the namespace, the queue and the nodes. "
                 "Nothing is submitted.")
            : tr("A check asks for the partitions, writes into the shared folder, and asks Slurm whether it would "
                 "accept a job. Nothing is submitted."));
    // Options that cannot be used are not told; the sentence above says what is wrong with them.
    m_options->setText(!info.options.isEmpty() ? info.options
            : info.error.startsWith(QLatin1StringView("slurm.option"))
                || info.error.startsWith(QLatin1StringView("kubernetes.option"))
            ? QString()
            : tr("none"));
    m_folder->setText(info.folder.isEmpty() ? tr("the state folder, below the home folder") : info.folder);
    showSteps();
}

void ClusterView::showSteps()
{
    QList<ShownStep> steps;
    if (m_shown.isChecking) {
        steps.append({QStringLiteral("cluster-check"), StepState::Running, tr("Check"),
            m_shown.info.kind == openPaiKind          ? tr("Asks the cluster, which may take a while.")
                : m_shown.info.kind == kubernetesKind ? tr("Asks kubectl, which may take a while.")
                                                      : tr("Asks the commands of Slurm, which may take a while."),
            {}});
    } else if (!m_shown.checkError.isEmpty()) {
        steps.append({QStringLiteral("cluster-check"), StepState::Failed, tr("Check"), m_shown.checkError, {}});
    } else {
        for (const ClusterStep &step : m_shown.info.steps) {
            steps.append({QStringLiteral("cluster-") + step.id, clusterStepState(step), clusterStepName(step),
                clusterStepFacts(step).join(QLatin1Char('\n')), {}});
        }
    }
    m_steps->setShown(steps);
    showAge();
    m_steps->setVisible(!steps.isEmpty());
    m_unchecked->setVisible(steps.isEmpty() && m_shown.info.isNamed);
}

// A check is of one moment: jobs run and end since, and the cluster may have gone.
void ClusterView::showAge()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch(), age = now - m_shown.checkedAt;
    const bool isOld = age >= freshMs || !m_shown.info.error.isEmpty();
    const QString at = formatTime(m_shown.checkedAt, now);
    m_seen->setVisible(m_shown.checkedAt > 0 && !m_shown.isChecking && m_shown.checkError.isEmpty());
    m_seen->setText(isOld
            ? tr("As it was at %1. It may have changed since; check again to see it as it is now.").arg(at)
            : tr("As it was at %1.").arg(at));
    m_seen->setColour(isOld ? Colour::Waiting : Colour::Muted);
    auto *dimmed = qobject_cast<QGraphicsOpacityEffect *>(m_steps->graphicsEffect());
    if (isOld && m_seen->isVisibleTo(this) && !dimmed) {
        dimmed = new QGraphicsOpacityEffect(m_steps);
        dimmed->setOpacity(agedOpacity);
        m_steps->setGraphicsEffect(dimmed);
    } else if (!isOld || !m_seen->isVisibleTo(this)) {
        m_steps->setGraphicsEffect(nullptr);
    }
    if (m_shown.checkedAt > 0 && !isOld) {
        m_aging->start(int(freshMs - age));
    } else {
        m_aging->stop();
    }
}

} // namespace trainyard
