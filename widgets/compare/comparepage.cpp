// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/comparepage.h"

#include "widgets/common/comboitems.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/compare/comparecurves.h"
#include "widgets/compare/comparedetails.h"
#include "widgets/compare/comparefilter.h"
#include "widgets/compare/comparehead.h"
#include "widgets/compare/comparehtml.h"
#include "widgets/compare/comparetable.h"
#include "widgets/compare/parallelview.h"
#include "widgets/compare/scatterview.h"
#include "widgets/compare/viewpicture.h"
#include "widgets/text/comparetexts.h"

#include <QComboBox>
#include <QDateTime>
#include <QHBoxLayout>
#include <QSlider>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

const QSizeF pictureMillimetres(180, 80);
constexpr int leastParameter = 64; // its name may be long
constexpr int leastSlider = 48;
constexpr int mostOfBest = 50; // of the slider; its right end lets all through

// Only the lines between the parts are seen.
QSplitter *makeSplitter(Qt::Orientation orientation)
{
    auto *splitter = new QSplitter(orientation);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

} // namespace

ComparePage::ComparePage(QWidget *parent)
    : QWidget(parent), m_runs(new CompareRuns(this)), m_head(new CompareHead(m_runs)),
      m_table(new CompareTablePane(m_runs)), m_details(new CompareDetails(m_runs)), m_curves(new CompareCurves(m_runs)),
      m_scatter(new ScatterView(m_runs)), m_parallel(new ParallelView(m_runs)), m_across(makeSplitter(Qt::Horizontal)),
      m_leftParts(makeSplitter(Qt::Vertical)), m_rightParts(makeSplitter(Qt::Vertical)), m_tabs(new QTabBar),
      m_stack(new QStackedWidget), m_parameter(new QComboBox), m_bestOnly(new QSlider(Qt::Horizontal))
{
    m_leftParts->addWidget(m_table);
    m_leftParts->addWidget(m_details);
    m_leftParts->setStretchFactor(0, 1);
    m_leftParts->setSizes({430, 250});
    m_across->addWidget(m_leftParts);
    m_across->addWidget(makeRight());
    connect(m_across, &QSplitter::splitterMoved, this, [this] { m_isShareChosen = true; });
    connect(m_table, &CompareTablePane::wantedWidthChanged, this, &ComparePage::shareWidth);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_across, 1);
    connectParts();
    updateParameters();
    setFocusProxy(m_table->view());
}

// Numbers that are cut say nothing, while a plot that is narrower says the same: the table has its room first, until a
// person shares it otherwise.
void ComparePage::shareWidth()
{
    if (m_isShareChosen) {
        return;
    }
    constexpr int ofTable = 620, ofPlots = 520;
    const int all = m_across->width() - m_across->handleWidth();
    const int usual = all * ofTable / (ofTable + ofPlots);
    const int left = std::clamp(m_table->wantedWidth(), usual, std::max(usual, all * 2 / 3));
    m_across->setSizes({left, all - left});
}

void ComparePage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    shareWidth();
}

QWidget *ComparePage::makeRight()
{
    auto *right = new QWidget;
    auto *head = new Ground(Colour::Surface);
    head->setBorders(Qt::BottomEdge);
    head->setFixedHeight(metrics::paneHead);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(metrics::space1, 0, metrics::space2, 0);
    setTabKind(m_tabs, TabKind::Inner);
    m_tabs->setObjectName(QStringLiteral("comparePlots"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    // Two short names, which are whole: the controls beside them give way.
    m_tabs->setUsesScrollButtons(false);
    m_tabs->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    m_tabs->addTab(tr("Plots"));
    m_tabs->addTab(tr("Parallel"));
    row->addWidget(m_tabs);
    row->addStretch(1);
    m_curves->setRows([this](qsizetype run) { return m_table->filter()->rowOf(run); });
    row->addWidget(m_curves->controls());
    m_rightParts->addWidget(m_curves);
    m_rightParts->addWidget(makeScatter());
    m_rightParts->setStretchFactor(0, 1);
    m_rightParts->setSizes({460, 220});
    m_stack->addWidget(m_rightParts);
    m_stack->addWidget(makeParallel());
    auto *layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
    layout->addWidget(m_stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        m_stack->setCurrentIndex(tab);
        m_curves->controls()->setVisible(tab == 0);
        Q_EMIT edited();
    });
    return right;
}

// Runs that have a result have no place by a parameter that only others have.
QString ComparePage::leftOutText() const
{
    const QList<qsizetype> runs = m_scatter->withoutParameter();
    const QString parameter = m_scatter->parameter();
    const bool isBestAmong = runs.contains(m_runs->best());
    if (runs.isEmpty()) {
        return {};
    }
    if (runs.size() == 1) {
        return (isBestAmong ? tr("Left out, as it has no %1: the best run, %2") : tr("Left out, as it has no %1: %2"))
            .arg(parameter, m_runs->label(runs.constFirst()));
    }
    return isBestAmong ? tr("%1 runs without %2 are left out, the best one, %3, among them")
                             .arg(QString::number(runs.size()), parameter, m_runs->label(m_runs->best()))
                       : tr("%1 runs without %2 are left out").arg(QString::number(runs.size()), parameter);
}

QWidget *ComparePage::makeScatter()
{
    auto *part = new Ground(Colour::Surface);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(metrics::space3, metrics::space1, metrics::space2, 0);
    head->setSpacing(metrics::space2);
    head->addWidget(semiboldLabel(tr("Best result by")));
    setSmall(m_parameter);
    m_parameter->setAccessibleName(tr("Parameter along the axis"));
    m_parameter->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_parameter->setMinimumWidth(leastParameter);
    head->addWidget(m_parameter);
    head->addStretch(1);
    auto *without = new ElidedLabel;
    without->setObjectName(QStringLiteral("compareWithoutPoint"));
    without->setFont(fonts::small());
    without->setColour(Colour::Muted);
    without->setElideMode(Qt::ElideRight);
    auto *lacking = new ElidedLabel;
    lacking->setObjectName(QStringLiteral("compareWithoutParameter"));
    lacking->setFont(fonts::small());
    lacking->setColour(Colour::Waiting);
    lacking->setElideMode(Qt::ElideRight);
    auto *leftOut = new QHBoxLayout; // below the choice, with all of the width for it
    leftOut->setContentsMargins(metrics::space3, 0, metrics::space3, 0);
    leftOut->setSpacing(metrics::space4);
    for (ElidedLabel *words : {lacking, without}) {
        words->setMinimumWidth(1); // they make no page wider
        leftOut->addWidget(words);
    }
    leftOut->addStretch(1);
    const auto count = [this, without, lacking] {
        const qsizetype yet = m_scatter->withoutPointYet(), runs = m_scatter->withoutPoint() - yet;
        QStringList words;
        if (yet > 0) {
            words.append(yet == 1 ? tr("One run has no result yet") : tr("%1 runs have no result yet").arg(yet));
        }
        if (runs > 0) {
            words.append(
                runs == 1 ? tr("One run has no finite result") : tr("%1 runs have no finite result").arg(runs));
        }
        without->setText(words.join(QStringLiteral(", ")));
        without->setVisible(!words.isEmpty());
        lacking->setText(leftOutText());
        lacking->setVisible(!lacking->text().isEmpty());
    };
    connect(m_runs, &CompareRuns::drawnChanged, without, count); // the filter may be another one
    connect(m_scatter, &ScatterView::updated, without, count);
    auto *layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, metrics::space1);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addLayout(leftOut);
    layout->addWidget(m_scatter, 1);
    connect(m_parameter, &QComboBox::activated, this,
        [this] { m_scatter->setParameter(m_parameter->currentData().toString()); });
    return part;
}

QWidget *ComparePage::makeParallel()
{
    auto *part = new Ground(Colour::Surface);
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(metrics::space3, 0, metrics::space3, metrics::space2);
    QLabel *words = smallMutedLabel({});
    m_bestOnly->setRange(1, mostOfBest);
    m_bestOnly->setValue(mostOfBest);
    m_bestOnly->setMinimumWidth(leastSlider);
    m_bestOnly->setMaximumWidth(200);
    m_bestOnly->setAccessibleName(tr("How many of the best runs are shown"));
    m_bestOnly->setObjectName(QStringLiteral("compareBestOnly"));
    foot->addWidget(smallMutedLabel(tr("Only the best")));
    foot->addWidget(m_bestOnly);
    foot->addWidget(words);
    QLabel *hint = smallMutedLabel({});
    hint->setObjectName(QStringLiteral("compareParallelHint"));
    hint->setWordWrap(true); // makes no page wider
    hint->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    foot->addWidget(hint, 1);
    auto *layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_parallel, 1);
    layout->addLayout(foot);
    const auto apply = [this, words](int count) {
        words->setText(count == mostOfBest ? tr("all") : QString::number(count));
        m_parallel->setBestOnly(count == mostOfBest ? 0 : count);
    };
    connect(m_bestOnly, &QSlider::valueChanged, this, apply);
    apply(mostOfBest);
    const auto tell = [this, hint] {
        const QString how = tr("Drag along an axis to choose runs; a double click shows all");
        const QString seeds = m_parallel->seeds().join(QStringLiteral(", "));
        hint->setText(seeds.isEmpty() ? how : tr("Seeds have no axis: %1. %2.").arg(seeds, how));
    };
    connect(m_parallel, &ParallelView::updated, this, tell);
    tell();
    return part;
}

QString ComparePage::scatterTitle() const { return tr("%1 by %2").arg(m_runs->metric(), m_scatter->parameter()); }

// As large as they are on the screen.
void ComparePage::offerPictures()
{
    m_savings = {new ViewSaving(m_scatter, tr("Save the plot of results as a picture…"),
                     [this] {
                         return ViewPicture{scatterTitle(), m_scatter->hasPicture() ? m_scatter->size() : QSize(),
                             [this](QPainter *painter, const QPalette &ink) {
                                 m_scatter->paintOn(painter, m_scatter->rect(), ink);
                             }};
                     }),
        new ViewSaving(m_parallel, tr("Save the parallel coordinates as a picture…"), [this] {
            return ViewPicture{{}, m_parallel->hasPicture() ? m_parallel->size() : QSize(),
                [this](QPainter *painter, const QPalette &ink) { m_parallel->paintOn(painter, ink); }};
        })};
    for (const ViewSaving *saving : std::as_const(m_savings)) {
        connect(saving, &ViewSaving::saved, this, &ComparePage::saved);
        connect(saving, &ViewSaving::failed, this, &ComparePage::said);
    }
}

void ComparePage::connectParts()
{
    offerPictures();
    connect(m_runs, &CompareRuns::reset, this, &ComparePage::updateParameters);
    connect(m_runs, &CompareRuns::drawnChanged, this, &ComparePage::edited);
    connect(m_runs, &CompareRuns::reset, this, &ComparePage::edited);
    connect(m_table, &CompareTablePane::currentChanged, this, &ComparePage::setCurrent);
    connect(m_scatter, &ScatterView::chosen, m_table, &CompareTablePane::setCurrent);
    connect(m_parallel, &ParallelView::chosen, m_table, &CompareTablePane::setCurrent);
    connect(m_table, &CompareTablePane::openRequested, this, &ComparePage::openRequested);
    connect(m_table, &CompareTablePane::addRequested, this, &ComparePage::addRequested);
    connect(m_table, &CompareTablePane::starRequested, this, &ComparePage::starRequested);
    connect(m_table, &CompareTablePane::sameRequested, m_details, &CompareDetails::showAll);
    connect(m_table, &CompareTablePane::tooManyDrawn, this,
        [this] { Q_EMIT said(tr("At most %n runs are drawn at a time.", nullptr, int(CompareRuns::mostDrawn))); });
    connect(m_table, &CompareTablePane::stopRequested, this,
        [this](const QList<qsizetype> &runs) { Q_EMIT stopRequested(m_runs->uuidsOf(runs)); });
    connect(m_table, &CompareTablePane::removeRequested, this,
        [this](const QList<qsizetype> &runs) { Q_EMIT removeRequested(m_runs->uuidsOf(runs)); });
    connect(m_curves, &CompareCurves::outputsWanted, this, &ComparePage::outputsWanted);
    connect(m_curves, &CompareCurves::said, this, &ComparePage::said);
    connect(m_curves, &CompareCurves::saved, this, &ComparePage::saved);
    connect(m_head, &CompareHead::addRequested, this, &ComparePage::addRequested);
    connect(m_head, &CompareHead::csvRequested, this, [this] { Q_EMIT saveRequested(false); });
    connect(m_head, &CompareHead::htmlRequested, this, [this] { Q_EMIT saveRequested(true); });
    const auto withBest = [this](void (ComparePage::*signal)(const QString &)) {
        return [this, signal] {
            if (const qsizetype best = m_runs->best(); best >= 0) {
                Q_EMIT(this->*signal)(m_runs->runs().at(best).job.uuid);
            }
        };
    };
    connect(m_head, &CompareHead::bestAsNewRequested, this, withBest(&ComparePage::bestAsNewRequested));
    connect(m_head, &CompareHead::seedsRequested, this, withBest(&ComparePage::seedsRequested));
    connect(m_head, &CompareHead::stopRestRequested, this,
        [this] { Q_EMIT stopRestRequested(m_runs->uuidsOf(m_runs->unticked())); });
}

void ComparePage::setCurrent(qsizetype run)
{
    if (m_table->isCurrentChosen()) {
        m_details->setOther(run);
    }
    m_scatter->setCurrent(run);
    m_parallel->setCurrent(run);
}

void ComparePage::updateParameters()
{
    setComboItems(m_parameter, m_scatter->parameters());
    m_parameter->setCurrentIndex(m_parameter->findData(m_scatter->parameter()));
    m_rightParts->widget(1)->setVisible(!m_scatter->parameters().isEmpty() && !m_runs->metric().isEmpty());
}

void ComparePage::setHeading(const QString &text) { m_head->setHeading(text); }
QString ComparePage::heading() const { return m_head->heading(); }
QList<QAction *> ComparePage::pageActions() const { return m_head->pageActions(); }

QList<QAction *> ComparePage::exportActions() const
{
    QList<QAction *> all = m_head->exportActions() + m_curves->exportActions();
    for (const ViewSaving *saving : m_savings) {
        if (saving->hasPicture()) {
            all.append(saving->action());
        }
    }
    return all;
}

QByteArray ComparePage::csv() const
{
    const CompareFilter *shown = m_table->filter();
    return qobject_cast<const CompareModel *>(shown->sourceModel())->asCsv(*shown).toUtf8();
}

QByteArray ComparePage::html()
{
    CompareReport report;
    report.title = m_head->heading();
    if (const QString same = sameWords(m_runs->table().same, m_runs->runs(), 100); !same.isEmpty()) {
        report.remarks.append(tr("Same in all: %1").arg(same));
    }
    if (const QString other = otherDifferences(m_runs->table().different, m_runs->runs()); !other.isEmpty()) {
        report.remarks.append(tr("What else differs: %1").arg(other));
    }
    report.remarks.append(tr("As of %1.").arg(QLocale().toString(QDateTime::currentDateTime(), QLocale::ShortFormat)));
    const QAbstractItemModel *shown = m_table->filter();
    for (int row = -1; row < shown->rowCount(); ++row) {
        QStringList cells;
        for (int column = int(CompareModel::Part::Run); column < shown->columnCount(); ++column) {
            cells.append(row < 0 ? shown->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()
                                 : shown->index(row, column).data().toString());
        }
        report.rows.append(cells);
        if (row >= 0 && shown->index(row, 0).data(CompareModel::IsBestRole).toBool()) {
            report.best.append(row + 1);
        }
    }
    QStringList drawn;
    for (int row = 0; row < shown->rowCount(); ++row) {
        const QModelIndex name = shown->index(row, int(CompareModel::Part::Run));
        if (lookOfRow(*m_runs, CompareModel::runsOf(name)) >= 0) {
            drawn.append(name.data().toString());
        }
    }
    for (CurvePlot *plot : m_curves->plots()) {
        report.pictures.append(
            {tr("%1 of %2").arg(plot->title(), drawn.join(QStringLiteral(", "))), plot->svg(pictureMillimetres)});
    }
    if (!m_scatter->parameter().isEmpty() && !m_runs->metric().isEmpty()) {
        static constexpr QSize size(680, 300);
        const ViewPicture plain{{}, size, [this](QPainter *painter, const QPalette &ink) {
                                    m_scatter->paintOn(painter, QRect({0, 0}, size), ink);
                                }};
        report.pictures.append({scatterTitle(), plain.svg()});
    }
    return compareHtml(report);
}

QByteArray ComparePage::saveLayout() const { return m_table->saveLayout(); }
void ComparePage::restoreLayout(const QByteArray &layout) { m_table->restoreLayout(layout); }

} // namespace trainyard
