// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/steplist.h"

#include "engine/api/hoststeps.h"
#include "widgets/common/labels.h"
#include "widgets/common/statepainter.h"
#include "widgets/text/hosttexts.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>

#include <utility>

namespace trainyard
{
namespace
{

constexpr int stepNameWidth = 120;
constexpr int leastStepText = 120;

} // namespace

// How a step stands, as a shape and a colour.
class StepMark final : public QWidget
{
public:
    StepMark() { setFixedSize(metrics::stateShape, QFontMetrics(fonts::ui()).height()); }
    void setState(StepState state)
    {
        m_state = state;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        const StateShape shape = m_state == StepState::Passed ? StateShape::Succeeded
            : m_state == StepState::Failed                    ? StateShape::Failed
            : m_state == StepState::Running                   ? StateShape::Running
                                                              : StateShape::Waiting;
        // What has not come yet is quiet; what is to be minded has the colour of what waits for somebody.
        const Colour role = m_state == StepState::Waiting ? Colour::Edge : colourOf(shape);
        const QRectF square(0, (height() - metrics::stateShape) / 2.0, metrics::stateShape, metrics::stateShape);
        paintState(&painter, shape, square, colour(role, this));
    }

private:
    StepState m_state = StepState::Waiting;
};

// What a step has found. A word that is wider than the column, such as the path of a folder, is broken rather than that
// the page is scrolled sideways; what is broken is copied as it is by the menu, and cannot be copied with the breaks.
class StepText final : public ColourLabel
{
public:
    StepText() : ColourLabel({}, Colour::Text)
    {
        setWordWrap(true);
        setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    void setWhole(const QString &text)
    {
        if (text != m_whole) {
            m_whole = text;
            fit();
        }
    }
    QSize minimumSizeHint() const override { return {leastStepText, ColourLabel::minimumSizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        ColourLabel::resizeEvent(event);
        fit();
    }
    void showEvent(QShowEvent *event) override
    {
        ColourLabel::showEvent(event);
        fit();
    }
    void contextMenuEvent(QContextMenuEvent *event) override
    {
        if (text() == m_whole) {
            ColourLabel::contextMenuEvent(event);
            return;
        }
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(StepList::tr("Copy"), this, [this] { QGuiApplication::clipboard()->setText(m_whole); });
        menu->popup(event->globalPos());
    }

private:
    void fit()
    {
        QString broken;
        constexpr int slack = 6; // fractions of pixels add up
        const QFontMetricsF letters(font());
        qreal part = 0; // the width of the word so far
        bool isBroken = false;
        for (const QChar c : std::as_const(m_whole)) {
            const qreal width = letters.horizontalAdvance(c);
            part = c.isSpace() ? 0 : part + width;
            if (isVisible() && part > contentsRect().width() - slack && !broken.isEmpty()) {
                broken += QChar(0x200B);
                part = width;
                isBroken = true;
            }
            broken += c;
            part = c == QLatin1Char('/') || c == QLatin1Char('-') ? 0 : part; // Qt breaks there by itself
        }
        const QString shown = isBroken ? broken : m_whole;
        if (text() != shown) {
            setText(shown);
            setTextInteractionFlags(isBroken ? Qt::NoTextInteraction : Qt::TextSelectableByMouse);
            setToolTip(plainTip(isBroken ? m_whole : QString()));
        }
    }
    QString m_whole;
};

StepList::StepList(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, metrics::space3);
    m_grid->setHorizontalSpacing(metrics::space3);
    m_grid->setVerticalSpacing(metrics::space2);
    m_grid->setColumnMinimumWidth(1, stepNameWidth);
    m_grid->setColumnStretch(2, 1);
}

int stepTextsLeft() { return metrics::space4 + metrics::stateShape + stepNameWidth + 2 * metrics::space3; }

void StepList::setSteps(const QList<HostStep> &steps)
{
    QList<ShownStep> shown;
    for (const HostStep &step : steps) {
        // Of a cluster the text names a command for terminals; here a button stands below.
        const QString text = step.id == hoststep::cluster ? tr("commands of a cluster are there") : stepText(step);
        shown.append({step.id, step.state, stepName(step.id), text, stepTime(step)});
    }
    setShown(shown);
}

void StepList::setShown(const QList<ShownStep> &steps)
{
    if (steps == m_steps) {
        return;
    }
    if (steps.size() != m_steps.size()) {
        makeRows(steps.size());
    }
    m_steps = steps;
    for (qsizetype i = 0; i < steps.size(); ++i) {
        const ShownStep &step = steps.at(i);
        const Row &row = m_rows.at(i);
        row.mark->setState(step.state);
        row.name->setText(step.name);
        row.name->setColour(step.state == StepState::Waiting ? Colour::Muted : Colour::Text);
        row.text->setObjectName(QStringLiteral("step-") + step.id);
        row.text->setWhole(step.text);
        row.text->setColour(step.state == StepState::Failed ? Colour::Failed : Colour::Text);
        row.time->setText(step.time);
        row.text->setAccessibleName(step.name + QStringLiteral(": ") + step.text);
    }
}

void StepList::makeRows(qsizetype count)
{
    for (const Row &row : std::as_const(m_rows)) {
        for (QWidget *widget : std::initializer_list<QWidget *>{row.mark, row.name, row.text, row.time}) {
            delete widget;
        }
    }
    m_rows.clear();
    for (int i = 0; i < int(count); ++i) {
        const Row row{new StepMark, new ColourLabel({}, Colour::Text), new StepText, smallMutedLabel({})};
        row.name->setFont(fonts::semibold());
        m_grid->addWidget(row.mark, i, 0, Qt::AlignTop);
        m_grid->addWidget(row.name, i, 1, Qt::AlignTop);
        m_grid->addWidget(row.text, i, 2, Qt::AlignTop);
        m_grid->addWidget(row.time, i, 3, Qt::AlignTop | Qt::AlignRight);
        m_rows.append(row);
    }
}

} // namespace trainyard
