// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runhistory.h"

#include "engine/api/tasklabel.h"
#include "widgets/common/style.h"
#include "widgets/plot/curvesview.h"
#include "widgets/tasks/historylists.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QStackedLayout>
#include <QTabBar>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{
// In the order in which they stand. A saved layout names them by these numbers.
enum HistoryTab { AttemptsTab = 0, MetricsTab = 3, TriesTab = 2, ConfigurationTab = 1 };
} // namespace

RunHistory::RunHistory()
    : Ground(Colour::Surface), m_tabs(new QTabBar), m_explanation(new ElidedLabel), m_body(new QWidget),
      m_attempts(new AttemptList), m_tries(new TryList), m_configuration(new QPlainTextEdit), m_curves(new CurvesView)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeTabRow());
    m_body->setObjectName(QStringLiteral("runPageHistory"));
    auto *pages = new QStackedLayout(m_body);
    layout->addWidget(m_body, 1);
    m_configuration->setReadOnly(true);
    m_configuration->setFrameShape(QFrame::NoFrame);
    m_configuration->setFont(fonts::fixed());
    m_configuration->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_configuration->setAccessibleName(tr("Configuration, secrets masked"));
    m_configuration->document()->setDocumentMargin(metrics::space3);
    pages->addWidget(m_attempts);
    pages->addWidget(m_curves);
    pages->addWidget(m_tries);
    pages->addWidget(m_configuration);
    connect(m_tabs, &QTabBar::currentChanged, this, [this, pages](int index) {
        pages->setCurrentIndex(index);
        showControls();
        explainTab();
    });
    showControls();
    connect(m_attempts, &HistoryList::chosen, this, &RunHistory::attemptChosen);
    connect(m_tries, &HistoryList::chosen, this, &RunHistory::tryChosen);
}

QWidget *RunHistory::makeTabRow()
{
    setTabKind(m_tabs, TabKind::Inner);
    const int attempts = m_tabs->addTab(tr("Attempts"));
    m_tabs->setTabData(attempts, AttemptsTab);
    m_tabs->setTabToolTip(attempts, plainTip(AttemptList::meaning()));
    m_tabs->setTabData(m_tabs->addTab(tr("Metrics")), MetricsTab);
    const int tries = m_tabs->addTab(tr("Tries"));
    m_tabs->setTabData(tries, TriesTab);
    m_tabs->setTabToolTip(tries, plainTip(TryList::meaning({})));
    m_tabs->setTabData(m_tabs->addTab(tr("Configuration")), ConfigurationTab);
    m_tabs->setToolTip(tr("Click the current tab to fold the pane"));
    // What a click means depends on which tab was the current one before it.
    connect(m_tabs, &QTabBar::tabBarClicked, this, [this](int index) {
        if (index >= 0) {
            Q_EMIT foldChosen(!m_folded && index == m_tabs->currentIndex());
        }
    });
    auto *row = new Ground(Colour::Surface);
    row->setBorders(Qt::BottomEdge);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(4, 0, metrics::space3, 0);
    layout->setSpacing(metrics::space3);
    layout->addWidget(m_tabs);
    m_explanation->setObjectName(QStringLiteral("historyExplanation"));
    m_explanation->setFont(fonts::small());
    m_explanation->setColour(Colour::Muted);
    m_explanation->setElideMode(Qt::ElideRight);
    layout->addWidget(m_explanation, 1);
    layout->addWidget(m_curves->controls());
    explainTab();
    return row;
}

// Both words mean nearly the same elsewhere.
void RunHistory::explainTab()
{
    m_explanation->setText(tab() == AttemptsTab ? AttemptList::meaning()
            : tab() == TriesTab                 ? TryList::meaning(m_task)
                                                : QString());
}

void RunHistory::setAttempts(const QList<AttemptInfo> &attempts, int shown)
{
    m_attempts->setAttempts(attempts);
    m_attempts->setShown(shown);
    if (attempts.size() > 1) {
        Q_EMIT grew();
    }
}

void RunHistory::setShownAttempt(int attempt) { m_attempts->setShown(attempt); }

void RunHistory::setTries(
    const QList<TaskInfo> &tries, int shown, const QHash<QString, QString> &hostLabels, std::optional<int> attemptExit)
{
    m_tries->setTries(tries, hostLabels, attemptExit, QDateTime::currentMSecsSinceEpoch());
    m_task = tries.isEmpty() ? QString() : taskLabel(tries.constFirst());
    explainTab();
    if (tries.isEmpty()) {
        return;
    }
    m_tries->setShown(shown);
    if (tries.constLast().tries > 0) {
        Q_EMIT grew();
    }
}

void RunHistory::setConfiguration(const QByteArray &yaml)
{
    const QString text = QString::fromUtf8(yaml);
    if (m_configuration->toPlainText() != text) {
        m_configuration->setPlainText(text);
    }
}

void RunHistory::tick(qint64 now) { m_tries->tick(now); }

void RunHistory::showControls() { m_curves->controls()->setVisible(!m_folded && tab() == MetricsTab); }

int RunHistory::tab() const { return m_tabs->tabData(m_tabs->currentIndex()).toInt(); }

void RunHistory::setTab(int tab)
{
    for (int i = 0; i < m_tabs->count(); ++i) {
        if (m_tabs->tabData(i).toInt() == tab) {
            m_tabs->setCurrentIndex(i);
        }
    }
}

void RunHistory::setFolded(bool on)
{
    m_folded = on;
    m_body->setVisible(!on);
    showControls();
    setMaximumHeight(on ? m_tabs->sizeHint().height() + 1 : QWIDGETSIZE_MAX);
}

} // namespace trainyard
