// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/runpick.h"

#include "engine/api/foreignid.h"
#include "widgets/common/labels.h"
#include "widgets/common/linesample.h"
#include "widgets/common/style.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QFontMetrics>
#include <QPainter>
#include <QStyleOptionComboBox>
#include <QStylePainter>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int leastPick = 104, widestPick = 560;
constexpr int besideCaption = 68; // the sample of the line, the arrow and the borders
constexpr int leastElided = 3; // letters: what has room for fewer is left out

QIcon lookIcon(int look, const QPalette &palette)
{
    if (look < 0) {
        return {};
    }
    QPixmap sample(24, 12);
    sample.fill(Qt::transparent);
    QPainter painter(&sample);
    paintLineSample(&painter, QRectF(sample.rect()), look, palette);
    return QIcon(sample);
}

QString joined(const QString &name, const QString &number, const QString &detail)
{
    const QString label = name.isEmpty() ? number : number.isEmpty() ? name : QString(name + u' ' + number);
    return detail.isEmpty() ? label : label.isEmpty() ? detail : RunPick::tr("%1: %2").arg(label, detail);
}

} // namespace

QString RunCaption::text() const { return joined(name, number, detail); }

QString RunCaption::fitted(const QFontMetrics &letters, int width) const
{
    if (letters.horizontalAdvance(text()) <= width) {
        return text();
    }
    // The space between and around them is reserved first.
    const QString mark = QStringLiteral("n");
    const int marks = letters.horizontalAdvance(mark);
    const int fixed
        = letters.horizontalAdvance(joined(name.isEmpty() ? name : mark, number, detail.isEmpty() ? detail : mark))
        - (name.isEmpty() ? 0 : marks) - (detail.isEmpty() ? 0 : marks);
    const int room = std::max(0, width - fixed);
    const int ofName = letters.horizontalAdvance(name), ofDetail = letters.horizontalAdvance(detail);
    const int forName = std::max(room / 2, room - ofDetail);
    const int forDetail = std::max(room - room / 2, room - ofName);
    const auto elided = [&letters](const QString &part, int pixels) {
        return pixels < leastElided * letters.averageCharWidth() && letters.horizontalAdvance(part) > pixels
            ? QString()
            : letters.elidedText(part, Qt::ElideMiddle, pixels);
    };
    return joined(elided(name, forName), number, elided(detail, forDetail));
}

RunCaption captionOf(const CompareRuns &runs, qsizetype run)
{
    const JobSummary &job = runs.runs().at(run).job;
    const QString label = runs.label(run), detail = detailOfRun(runs, run);
    if (isForeign(job.uuid)) {
        return {label, {}, detail};
    }
    const QString number = QStringLiteral("#%1").arg(job.id);
    return {label.chopped(number.size()).trimmed(), number, detail};
}

RunPick::RunPick(QWidget *parent) : QComboBox(parent)
{
    setSmall(this);
    setMinimumWidth(leastPick);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    view()->setTextElideMode(Qt::ElideMiddle);
}

void RunPick::setRuns(const CompareRuns &runs)
{
    const QVariant before = currentData();
    const int count = int(runs.runs().size());
    bool isSame = count == this->count(); // then its rows stay: the user may be choosing from them
    for (int run = 0; run < count && isSame; ++run) {
        isSame = itemData(run).toString() == runs.runs().at(run).job.uuid;
    }
    if (!isSame) {
        clear();
    }
    m_captions.clear();
    m_looks.clear();
    int widest = 0;
    for (int run = 0; run < count; ++run) {
        m_captions.append(captionOf(runs, run));
        const QString text = m_captions.constLast().text();
        widest = std::max(widest, fontMetrics().horizontalAdvance(text));
        m_looks.append(runs.look(run));
        const QIcon sample = lookIcon(m_looks.constLast(), palette());
        if (isSame) {
            setItemText(run, plainCaption(text));
            setItemIcon(run, sample);
        } else {
            addItem(sample, plainCaption(text), runs.runs().at(run).job.uuid);
        }
    }
    const int wanted = std::clamp(widest + besideCaption, leastPick, widestPick);
    setMaximumWidth(wanted);
    view()->setMinimumWidth(wanted); // a list is as wide as its texts, whatever room its field has
    setCurrentIndex(std::max(0, findData(before)));
}

QString RunPick::shownText() const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    // As the style has it: the text begins behind the sample of the line.
    constexpr int gap = 7, rounding = 3;
    int room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
    room -= option.currentIcon.isNull() ? rounding : metrics::rowIcon + gap + rounding;
    return m_captions.value(currentIndex()).fitted(fontMetrics(), room);
}

// By the field itself: its parent is notified first, when the palette of the field is still the old one.
void RunPick::changeEvent(QEvent *event)
{
    QComboBox::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        for (int run = 0; run < m_looks.size(); ++run) {
            setItemIcon(run, lookIcon(m_looks.at(run), palette()));
        }
    }
}

void RunPick::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText = shownText();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace trainyard
