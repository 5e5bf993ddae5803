// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/comparehead.h"

#include "engine/api/compare/comparefacts.h"
#include "engine/api/jobfacts.h"
#include "widgets/common/icons.h"
#include "widgets/common/meters.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/text/resulttexts.h"

#include <QAction>
#include <QDateTime>
#include <QHBoxLayout>
#include <QMap>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int countGap = 14, markSize = 12, markGap = 5;

class StateCounts final : public QWidget
{
public:
    void setCounts(const QMap<StateShape, int> &counts)
    {
        m_counts = counts;
        QStringList words;
        for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
            words.append(stateLabel(it.key()) + QLatin1Char(' ') + QString::number(it.value()));
        }
        setToolTip(plainTip(words.join(QStringLiteral(", "))));
        setAccessibleName(words.join(QStringLiteral(", ")));
        setFixedWidth(sizeHint().width());
        update();
    }
    QSize sizeHint() const override
    {
        int width = 0;
        for (const int count : m_counts) {
            width
                += markSize + markGap + QFontMetrics(fonts::ui()).horizontalAdvance(QString::number(count)) + countGap;
        }
        return {width, metrics::row};
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        int x = 0;
        for (auto it = m_counts.cbegin(); it != m_counts.cend(); ++it) {
            paintState(&painter, it.key(), QRectF(x, (height() - markSize) / 2.0, markSize, markSize), palette());
            painter.setPen(colour(colourOf(it.key()), this));
            const QString text = QString::number(it.value());
            const int width = painter.fontMetrics().horizontalAdvance(text);
            painter.drawText(QRect(x + markSize + markGap, 0, width + 2, height()), Qt::AlignVCenter, text);
            x += markSize + markGap + width + countGap;
        }
    }

private:
    QMap<StateShape, int> m_counts;
};

} // namespace

CompareHead::CompareHead(CompareRuns *runs)
    : Ground(Colour::Surface), m_runs(runs), m_heading(new ElidedLabel), m_counts(new StateCounts),
      m_bar(new ProgressBar), m_left(mutedLabel({})), m_more(new QToolButton)
{
    setBorders(Qt::BottomEdge);
    setFixedHeight(metrics::pageHead);
    setMinimumWidth(1); // fit() sees to it
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(metrics::space4, 0, metrics::space3, 0);
    row->setSpacing(metrics::space3);
    m_heading->setFont(fonts::heading());
    m_bar->setFixedWidth(m_bar->sizeHint().width());
    m_bar->setAccessibleName(tr("Progress of all runs"));
    for (QWidget *part : std::initializer_list<QWidget *>{m_heading, m_counts, m_bar, m_left}) {
        row->addWidget(part);
    }
    row->addStretch(1);
    m_add = addButton("compareAdd", QStringLiteral("plus"), tr("Add runs…"), tr("Choose runs to compare with these"));
    m_stop = addButton("compareStopRest", QStringLiteral("stop"), tr("Stop the rest"),
        tr("Stop all active runs that are not ticked in the table"));
    m_seeds = addButton("compareSeeds", QStringLiteral("restart"), tr("Best with other seeds…"),
        tr("Run the best one again with other seeds, to see how far its result can be trusted"));
    m_new = addButton("compareBestAsNew", QStringLiteral("edit"), tr("Best as new job"),
        tr("Open the text of the best run as a new document"));
    m_more->setIcon(icon(QStringLiteral("more")));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setToolTip(plainTip(tr("Export the comparison")));
    m_more->setAccessibleName(tr("Export"));
    m_exports = new QMenu(m_more);
    m_exports->addAction(tr("Export the table as CSV…"), this, &CompareHead::csvRequested);
    m_exports->addAction(tr("Export everything as one HTML page…"), this, &CompareHead::htmlRequested);
    m_more->setMenu(m_exports);
    row->addWidget(m_more);
    connect(m_add, &QPushButton::clicked, this, &CompareHead::addRequested);
    connect(m_stop, &QPushButton::clicked, this, &CompareHead::stopRestRequested);
    connect(m_seeds, &QPushButton::clicked, this, &CompareHead::seedsRequested);
    connect(m_new, &QPushButton::clicked, this, &CompareHead::bestAsNewRequested);
    connect(runs, &CompareRuns::reset, this, &CompareHead::update);
    connect(runs, &CompareRuns::valuesChanged, this, &CompareHead::update);
    connect(runs, &CompareRuns::drawnChanged, this, &CompareHead::update);
    update();
}

QPushButton *CompareHead::addButton(const char *name, const QString &iconName, const QString &text, const QString &tip)
{
    auto *button = new QPushButton(icon(iconName), text);
    setButtonKind(button, ButtonKind::Normal);
    button->setIconSize({15, 15});
    button->setObjectName(QLatin1String(name));
    button->setProperty("words", text);
    button->setProperty("tip", tip);
    button->setToolTip(plainTip(tip));
    button->setAccessibleName(text);
    layout()->addWidget(button);
    auto *action = new QAction(text, button);
    action->setToolTip(plainTip(tip));
    connect(action, &QAction::triggered, button, &QPushButton::click);
    m_actions.insert(button, action);
    return button;
}

QList<QAction *> CompareHead::pageActions() const
{
    QList<QAction *> all;
    for (const QPushButton *button : {m_add, m_seeds, m_new, m_stop}) {
        if (!button->isHidden()) {
            m_actions.value(button)->setEnabled(button->isEnabled());
            all.append(m_actions.value(button));
        }
    }
    return all;
}

QList<QAction *> CompareHead::exportActions() const { return m_exports->actions(); }

void CompareHead::setHeading(const QString &text)
{
    m_heading->setText(text);
    fit();
}

void CompareHead::update()
{
    QMap<StateShape, int> counts;
    double done = 0;
    bool isActive = false, waits = false, hasRest = false;
    std::optional<qint64> end;
    qsizetype all = 0;
    for (qsizetype run = 0; run < m_runs->runs().size(); ++run) {
        if (m_runs->isHidden(run)) {
            continue;
        }
        ++all;
        const JobSummary &job = m_runs->runs().at(run).job;
        if (saysState(job)) {
            ++counts[shapeOf(job)];
        }
        done += isUnderway(job) ? job.progress.value_or(0) : 1;
        isActive = isActive || isUnderway(job);
        waits = waits || job.state == State::Waiting;
        if (job.endExpected) {
            end = std::max(end.value_or(0), *job.endExpected);
        }
    }
    for (const qsizetype run : m_runs->unticked()) {
        hasRest = hasRest || isUnderway(m_runs->runs().at(run).job);
    }
    static_cast<StateCounts *>(m_counts)->setCounts(counts);
    m_isActive = isActive;
    m_bar->setShare(all > 0 ? done / double(all) : 0);
    // How long runs will take that have not begun is not known.
    m_left->setText(!isActive ? QString()
                              : progressWords(all > 0 ? std::optional(done / double(all)) : std::nullopt,
                                  waits ? std::nullopt : end, QDateTime::currentMSecsSinceEpoch()));
    m_stop->setVisible(isActive);
    m_stop->setEnabled(hasRest);
    m_stop->setToolTip(plainTip(hasRest ? tr("Stop all active runs that are not ticked in the table")
                                        : tr("All active runs are ticked in the table: untick those to stop")));
    const qsizetype best = m_runs->best();
    const bool isOurs = best >= 0 && !isForeign(m_runs->runs().at(best).job.uuid);
    const bool hasSeed = isOurs && !seedOf(m_runs->runs().at(best).job.parameters).isEmpty();
    m_seeds->setEnabled(hasSeed);
    const QString whySeedless = isOurs && !hasSeed
        ? tr("The best one has no parameter that is a seed. Give the job one, such as \"seed\", and use it in its "
             "commands.")
        : m_seeds->property("tip").toString();
    m_seeds->setToolTip(plainTip(whySeedless));
    m_actions.value(m_seeds)->setToolTip(plainTip(whySeedless)); // in the menu
    m_new->setEnabled(isOurs);
    fit();
}

// The least useful buttons lose their words first, then parts that the table also shows are hidden, so that no part
// overlaps another.
void CompareHead::fit()
{
    const auto fits = [this] {
        layout()->invalidate();
        return layout()->minimumSize().width() <= width();
    };
    m_heading->setMinimumWidth(std::min(m_heading->sizeHint().width(), 120));
    m_left->setVisible(!m_left->text().isEmpty());
    m_bar->setVisible(m_isActive);
    m_counts->show();
    const QList<QPushButton *> buttons{m_add, m_seeds, m_stop, m_new};
    for (QPushButton *button : buttons) {
        button->setText(button->property("words").toString());
    }
    for (QPushButton *button : buttons) {
        if (fits()) {
            return;
        }
        button->setText({});
    }
    for (QWidget *part : std::initializer_list<QWidget *>{m_left, m_bar, m_counts}) {
        if (fits()) {
            return;
        }
        part->hide();
    }
    if (!fits()) {
        m_heading->setMinimumWidth(1);
    }
}

void CompareHead::resizeEvent(QResizeEvent *event)
{
    Ground::resizeEvent(event);
    fit();
}

} // namespace trainyard
