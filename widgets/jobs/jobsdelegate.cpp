// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobsdelegate.h"

#include "engine/api/foreignid.h"
#include "engine/api/jobfacts.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/icons.h"
#include "widgets/common/meters.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/resulttexts.h"

#include <QDateTime>
#include <QPainter>

namespace trainyard
{
namespace
{

constexpr int starInset = 6;
constexpr int starSize = 12;
constexpr int rowNameInset = 44;
constexpr int memberIndent = 14; // of the jobs of a sweep
constexpr int leastResult = 32;

// The text at the right of a job: its progress, or how long it took.
QString rightText(const JobSummary &job, qint64 now)
{
    if (isForeign(job.uuid)) {
        return job.state == State::Failed ? JobsModel::causeText(job) : QString();
    }
    switch (job.state) {
    case State::Waiting:
        return job.reason.isEmpty() ? QString() : JobsDelegate::tr("why?");
    case State::Running:
    case State::Stopping:
        if (job.paused) {
            return JobsDelegate::tr("paused");
        }
        if (job.progress) {
            return percentWords(*job.progress);
        }
        if (job.counts.total() > 1) {
            return QStringLiteral("%1/%2").arg(job.counts.succeeded).arg(job.counts.total());
        }
        return clockText(allAttemptsMs(job, now));
    case State::Failed: // why is said, which is more than how long it took
        return JobsModel::causeText(job);
    case State::Succeeded:
        if (job.counts.failed > 0) {
            return JobsDelegate::tr("%1 failed").arg(job.counts.failed);
        }
        [[fallthrough]];
    case State::Stopped:
        return job.completed ? clockText(allAttemptsMs(job, now)) : QString();
    case State::Unknown:
        return hostLabel(job.hosts.value(0));
    }
    return {};
}

// How many jobs of a sweep are over, or what the best one came to.
QString sweepText(const SweepRow &row)
{
    return row.best.isEmpty() ? QStringLiteral("%1/%2").arg(row.ended).arg(row.all) : row.best;
}

} // namespace

void JobsDelegate::paintSweep(
    QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index, const SweepRow &sweep)
{
    const QPalette &palette = option.palette;
    const QRect r = option.rect;
    paintIcon(painter,
        option.state.testFlag(QStyle::State_Open) ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
        QRectF(r.left() + starInset, r.center().y() - starSize / 2.0, starSize, starSize),
        colour(Colour::Muted, palette));
    paintState(
        painter, shapeOf(sweep.state), QRectF(r.left() + rowNameInset - 22, r.center().y() - 6.5, 14, 14), palette);
    int right = r.right() - 11;
    painter->setFont(fonts::small());
    const auto words = [&](const QString &text, Colour ink, int least) {
        const int width = std::max(text.isEmpty() ? 0 : least, painter->fontMetrics().horizontalAdvance(text));
        painter->setPen(colour(ink, palette));
        painter->drawText(
            QRect(right - width, r.top(), width + 1, r.height()), Qt::AlignVCenter | Qt::AlignRight, text);
        right -= width > 0 ? width + 8 : 0;
    };
    // A number would read as that of one job; the tool tip tells it.
    const QString count = sweep.shown == sweep.all ? QStringLiteral("× %1").arg(sweep.all)
                                                   : tr("%1 of %2").arg(sweep.shown).arg(sweep.all);
    const QFontMetrics small = painter->fontMetrics();
    const bool showsFailed = sweep.failed > 0 && sweep.failed < sweep.all;
    const int failedWidth = showsFailed ? small.horizontalAdvance(QString::number(sweep.failed)) + 23 : 0;
    // The name comes first: a long name of the best result leaves, and then the result.
    const int room = right - r.left() - rowNameInset - small.horizontalAdvance(count) - 16 - failedWidth
        - std::min(QFontMetrics(option.font).horizontalAdvance(index.data().toString()), r.width() * 2 / 5);
    if (const QString best = resultWords(sweepText(sweep), small, std::min(room, r.width() / 3));
        small.horizontalAdvance(best) <= std::max(room, leastResult)) {
        words(best, Colour::Muted, leastResult);
    }
    words(count, Colour::Muted, 0);
    if (showsFailed) {
        words(QString::number(sweep.failed), Colour::Failed, 0);
        paintState(painter, StateShape::Failed, QRectF(right - 7, r.center().y() - 5, 11, 11), palette);
        right -= 15;
    }
    painter->setFont(option.font);
    painter->setPen(colour(Colour::Text, palette));
    const QRect name(r.left() + rowNameInset, r.top(), right - r.left() - rowNameInset, r.height());
    painter->drawText(name, Qt::AlignVCenter | Qt::TextSingleLine,
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, name.width()));
    if (!isFinal(sweep.state) && sweep.state != State::Unknown && (sweep.share > 0 || sweep.state != State::Waiting)) {
        paintProgress(painter, QRectF(r.left() + rowNameInset, r.bottom() - 2, r.width() - 56, 2), sweep.share,
            colour(Colour::Running, palette), palette);
    }
}

QString JobsDelegate::causeWords(const JobSummary &job, const QFontMetrics &letters, int room, int name)
{
    const QString whole = JobsModel::causeText(job);
    if (letters.horizontalAdvance(whole) + name <= room) {
        return whole;
    }
    const QString brief = failureShort(job);
    // The name says which job it is, and gets up to half of the room. The names of exceptions, and those that people
    // give their own exit codes, may have any length.
    const int leastName = std::min(name, room / 2);
    return letters.elidedText(brief.isEmpty() ? whole : brief, Qt::ElideRight, std::max(0, room - leastName));
}

QString JobsDelegate::resultWords(const QString &result, const QFontMetrics &letters, int room)
{
    const qsizetype blank = result.lastIndexOf(u' ');
    const QString number = blank < 0 ? QString() : result.sliced(blank);
    const int numberWidth = letters.horizontalAdvance(number);
    if (number.isEmpty() || letters.horizontalAdvance(result) <= room || numberWidth >= room) {
        return letters.elidedText(
            blank < 0 ? result : result.sliced(numberWidth >= room ? blank + 1 : 0), Qt::ElideRight, room);
    }
    // A name that would lose more than half of itself cannot be read, and the job's own name needs the room.
    const QString name = result.first(blank);
    return letters.horizontalAdvance(name) > 2 * (room - numberWidth)
        ? result.sliced(blank + 1)
        : letters.elidedText(name, Qt::ElideMiddle, room - numberWidth) + number;
}

QString JobsDelegate::countText(const QModelIndex &group)
{
    const int all = group.data(JobsModel::CountRole).toInt(), own = group.data(JobsModel::OwnCountRole).toInt();
    return own == all ? QString::number(all) : tr("%1 of %2").arg(own).arg(all);
}

QSize JobsDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    return {100, index.data(JobsModel::IsGroupRole).toBool() ? metrics::groupRow : metrics::row};
}

void JobsDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    const QPalette &palette = option.palette;
    const QRect r = option.rect;
    if (index.data(JobsModel::IsGroupRole).toBool()) {
        paintIcon(painter,
            option.state.testFlag(QStyle::State_Open) ? QStringLiteral("chevron-down")
                                                      : QStringLiteral("chevron-right"),
            QRectF(r.left() + 6, r.center().y() - 6, 14, 14), colour(Colour::Muted, palette));
        QFont font = fonts::small();
        font.setWeight(QFont::Medium);
        painter->setFont(font);
        painter->setPen(colour(Colour::Muted, palette));
        const QString name = index.data().toString();
        painter->drawText(r.adjusted(24, 0, 0, 0), Qt::AlignVCenter, name);
        const int x = 24 + painter->fontMetrics().horizontalAdvance(name) + 5;
        painter->setFont(fonts::small());
        painter->drawText(r.adjusted(x, 0, 0, 0), Qt::AlignVCenter, countText(index));
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            stylepaint::focusRing(painter, r, metrics::smallRadius, colour(Colour::Accent, palette));
        }
        painter->restore();
        return;
    }
    stylepaint::sideRowGround(painter, r, palette, option.state.testFlag(QStyle::State_Selected),
        option.state.testFlag(QStyle::State_MouseOver));
    const auto ring = [&] {
        if (option.state.testFlag(QStyle::State_HasFocus) && option.state.testFlag(QStyle::State_KeyboardFocusChange)) {
            stylepaint::focusRing(painter, r, metrics::smallRadius, colour(Colour::Accent, palette));
        }
    };
    if (const QVariant sweep = index.data(JobsModel::SweepRowRole); sweep.isValid()) {
        paintSweep(painter, option, index, sweep.value<SweepRow>());
        ring();
        painter->restore();
        return;
    }
    const auto job = index.data(JobsModel::SummaryRole).value<JobSummary>();
    const int indent = index.parent().parent().isValid() ? memberIndent : 0;
    if (job.labels.isStarred || (option.state.testFlag(QStyle::State_MouseOver) && !isForeign(job.uuid))) {
        paintIcon(painter, job.labels.isStarred ? QStringLiteral("star-filled") : QStringLiteral("star"),
            QRectF(r.left() + starInset, r.center().y() - starSize / 2.0, starSize, starSize),
            colour(job.labels.isStarred ? Colour::Waiting : Colour::Muted, palette));
    }
    const QRectF sign(r.left() + rowNameInset - 22 + indent, r.center().y() - 6.5, 14, 14);
    if (!saysState(job)) {
        paintIcon(painter, QStringLiteral("chart"), sign, colour(Colour::Muted, palette));
    } else {
        paintState(painter, shapeOf(job), sign, palette);
    }
    int right = r.right() - 11;
    const QString number = isForeign(job.uuid) ? QString() : QStringLiteral("#%1").arg(job.id);
    painter->setFont(fonts::small());
    const int numberWidth = painter->fontMetrics().horizontalAdvance(number);
    const QString title = index.data(JobsModel::TitleRole).toString();
    const int left = rowNameInset + indent, gaps = 24;
    const int mark = (job.health.isEmpty() ? 0 : 20) + (job.labels.isArchived ? 20 : 0);
    const QString detail = job.state == State::Failed && !isForeign(job.uuid)
        ? causeWords(job, painter->fontMetrics(), right - r.left() - left - numberWidth - gaps - mark,
            QFontMetrics(option.font).horizontalAdvance(title))
        : painter->fontMetrics().elidedText(
            rightText(job, QDateTime::currentMSecsSinceEpoch()), Qt::ElideRight, r.width() / 3);
    const int detailWidth = std::max(detail.isEmpty() ? 0 : 32, painter->fontMetrics().horizontalAdvance(detail));
    painter->setPen(colour(job.state == State::Waiting ? Colour::Accent
            : job.state == State::Failed               ? Colour::Failed
                                                       : Colour::Muted,
        palette));
    painter->drawText(
        QRect(right - detailWidth, r.top(), detailWidth + 1, r.height()), Qt::AlignVCenter | Qt::AlignRight, detail);
    right -= detailWidth > 0 ? detailWidth + 8 : 0;
    painter->setPen(colour(Colour::Muted, palette));
    painter->drawText(
        QRect(right - numberWidth, r.top(), numberWidth + 1, r.height()), Qt::AlignVCenter | Qt::AlignRight, number);
    right -= numberWidth + 8;
    if (!job.health.isEmpty()) {
        paintIcon(painter, QStringLiteral("warning"), QRectF(right - 13, r.center().y() - 6.5, 14, 14),
            colour(Colour::Waiting, palette));
        right -= 20;
    }
    if (job.labels.isArchived) {
        paintIcon(painter, QStringLiteral("archive"), QRectF(right - 13, r.center().y() - 6.5, 14, 14),
            colour(Colour::Muted, palette));
        right -= 20;
    }
    painter->setFont(option.font);
    painter->setPen(colour(job.labels.isArchived ? Colour::Muted : Colour::Text, palette));
    const QRect name(r.left() + left, r.top(), right - r.left() - left, r.height());
    painter->drawText(name, Qt::AlignVCenter | Qt::TextSingleLine,
        painter->fontMetrics().elidedText(title, title == job.name ? Qt::ElideMiddle : Qt::ElideRight, name.width()));
    if (job.state == State::Running && (job.progress || job.counts.total() > 1)) {
        const qreal share
            = job.progress ? *job.progress : qreal(job.counts.succeeded) / std::max(1, job.counts.total());
        paintProgress(painter, QRectF(r.left() + left, r.bottom() - 2, r.width() - left - 12, 2), share,
            colour(Colour::Running, palette), palette);
    }
    ring();
    painter->restore();
}

} // namespace trainyard
