// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/tasks/timeline.h"
#include "widgets/tasks/timelinepicture.h"
#include "widgets/text/exittexts.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 timelineStart = 1'700'000'000'000;

AttemptInfo endedAttempt(int code, std::optional<int> status)
{
    AttemptInfo attempt;
    attempt.state = State::Failed;
    attempt.created = attempt.launched = attempt.started = timelineStart;
    attempt.completed = timelineStart + 6000;
    attempt.exitCode = code;
    attempt.triggerRawExit = status;
    return attempt;
}

} // namespace

// What the timeline of a run says beside its bars.
class TstTimeline : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void attemptsEndAsElsewhere_data();
    void attemptsEndAsElsewhere();
};

void TstTimeline::attemptsEndAsElsewhere_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("status"); // 0: not known
    QTest::addColumn<QString>("words");
    QTest::newRow("only failed") << 255 << 7 << u"Attempt 1  Exit status 7"_s;
    QTest::newRow("its own code") << 3 << 3 << QString(u"Attempt 1  "_s + exitBrief(3, 3));
    QTest::newRow("of ours") << -210 << 0 << QString(u"Attempt 1  "_s + exitPhrase(-210));
}

void TstTimeline::attemptsEndAsElsewhere()
{
    QFETCH(int, code);
    QFETCH(int, status);
    QFETCH(QString, words);
    RunStory story;
    story.attempts = {endedAttempt(code, status > 0 ? std::optional(status) : std::nullopt)};
    const Timeline timeline = timelineOf(story, timelineStart + 60'000);
    QCOMPARE(timeline.attempts.size(), 1);
    QCOMPARE(TimelinePicture::attemptWords(timeline.attempts.constFirst()), words);
}

TRAINYARD_GUI_TEST(TstTimeline)
#include "tst_timeline.moc"
