// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/gui/comparetests.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/comparepage.h"
#include "widgets/compare/scatterview.h"

#include <QImage>
#include <QTest>

#include <cmath>
#include <numeric>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Results of compared runs by a parameter.
class TstScatterView : public ComparedRuns
{
    Q_OBJECT

private Q_SLOTS:
    void resultsByAParameter()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.runs()->setJobs(comparedJobs());
        page.show();
        ScatterView *scatter = page.scatter();
        QCOMPARE(scatter->parameters(), (QStringList{u"lr"_s, u"seed"_s}));
        QVERIFY(!scatter->pointOf(3)); // it has no result
        QCOMPARE(scatter->withoutPoint(), 1);
        const auto *without = page.findChild<ElidedLabel *>(u"compareWithoutPoint"_s);
        QCOMPARE(without->text(), u"One run has no finite result"_s);
        QTRY_COMPARE(without->shownText(), without->text()); // it has a line with the other one
        const QWidget *side = without->parentWidget();
        QVERIFY(without->mapTo(side, QPoint(without->width(), 0)).x() <= side->width() - metrics::space3);
        const auto low = scatter->pointOf(0), best = scatter->pointOf(1);
        QVERIFY(low && best && low->x() < best->x() && low->y() > best->y());
        QTest::mouseClick(scatter, Qt::LeftButton, {}, low->toPoint());
        QCOMPARE(page.table()->current(), 0);
    }

    // A run that waits may have a result later; one that told NaN has one.
    void runsWithoutAResultYet()
    {
        QList<JobSummary> jobs = comparedJobs();
        ComparePage page;
        page.resize(1200, 800);
        const auto *without = page.findChild<ElidedLabel *>(u"compareWithoutPoint"_s);
        jobs[3].state = State::Waiting;
        page.runs()->setJobs(jobs);
        QCOMPARE(page.scatter()->withoutPointYet(), 1);
        QCOMPARE(without->text(), u"One run has no result yet"_s);
        jobs.append(comparedJob(5, 10, 1, qQNaN()));
        jobs.append(comparedJob(6, 20, 1, qQNaN()));
        jobs.last().state = State::Running;
        jobs.last().results = {{u"acc"_s, QJsonObject{{u"broken"_s, true}}}};
        page.runs()->setJobs(jobs);
        QCOMPARE(without->text(), u"One run has no result yet, 2 runs have no finite result"_s);
    }

    // What is far from all others is not drawn to scale, and the axis says so.
    void valuesFarFromAllOthers()
    {
        QList<JobSummary> jobs;
        for (int i = 0; i < 9; ++i) {
            jobs.append(comparedJob(i + 1, 0.01 * (i + 1), 1, 0.9 + 0.001 * i));
        }
        CompareRuns runs;
        runs.setJobs(jobs);
        ScatterView scatter(&runs);
        scatter.resize(600, 400);
        scatter.setParameter(u"lr"_s);
        QCOMPARE(scatter.beyondTexts(), QStringList());
        const QImage before = scatter.grab().toImage();
        jobs.append(comparedJob(10, 0.05, 1, 0.1));
        runs.setJobs(jobs);
        scatter.setParameter(u"lr"_s);
        QCOMPARE(scatter.beyondTexts(), QStringList{u"0.1"_s});
        jobs.append(comparedJob(11, 0.06, 1, 0.2));
        runs.setJobs(jobs);
        scatter.setParameter(u"lr"_s);
        QCOMPARE(scatter.beyondTexts(), QStringList{u"\u2264 0.2"_s});
        QVERIFY(scatter.grab().toImage() != before);
    }

    // Of folded runs the best one is marked, and not the one that stands for the row.
    void markOfAFoldedRow()
    {
        CompareRuns runs;
        runs.setJobs({comparedJob(1, 0.1, 1, 0.8), comparedJob(2, 0.1, 2, 0.9), comparedJob(3, 0.1, 3, 0.85),
            comparedJob(4, 0.2, 1, 0.5), comparedJob(5, 0.2, 2, 0.4)});
        ScatterView scatter(&runs);
        scatter.resize(600, 400);
        scatter.setCurrent(0);
        QCOMPARE(scatter.marked(), 0);
        runs.setFolded(true);
        QCOMPARE(scatter.marked(), 1);
        scatter.setCurrent(4);
        QCOMPARE(scatter.marked(), 3);
    }

    // More runs than there are colours: their points differ in their shape, as their lines do in their dash.
    void pointsOfOneColourDiffer()
    {
        QList<JobSummary> jobs;
        for (int i = 0; i <= seriesCount; ++i) {
            jobs.append(comparedJob(i + 1, 0.1 + 0.1 * i, 1, 0.1 + 0.08 * i));
        }
        CompareRuns runs;
        runs.setJobs(jobs);
        QList<qsizetype> all(jobs.size());
        std::iota(all.begin(), all.end(), 0);
        QVERIFY(runs.setDrawn(all, true));
        ScatterView scatter(&runs);
        scatter.resize(600, 400);
        scatter.setParameter(u"lr"_s);
        const QImage image = scatter.grab().toImage();
        constexpr qreal corner = 3.7; // outside of a disc
        int discs = 0, squares = 0;
        for (const qsizetype run : all) {
            const QPointF at = scatter.pointOf(run).value_or(QPointF());
            const QColor ink = colour(lookColour(runs.look(run)), &scatter);
            QCOMPARE(image.pixelColor(at.toPoint()), ink);
            int corners = 0;
            for (const QPointF &to : {QPointF(1, 1), QPointF(1, -1), QPointF(-1, 1), QPointF(-1, -1)}) {
                const QPointF pixel = at + corner * to;
                corners += image.pixelColor(int(std::floor(pixel.x())), int(std::floor(pixel.y()))) == ink ? 1 : 0;
            }
            ++(corners == 4 ? squares : discs);
        }
        QCOMPARE(discs, seriesCount);
        QCOMPARE(squares, 1);
    }

    // Of a point at the edge, beside which another one stands, it goes above or below.
    void labelHidesNoPoint()
    {
        QList<JobSummary> jobs{comparedJob(1, 0.003, 1, 0.1), comparedJob(2, 0.03, 1, 0.47),
            comparedJob(3, 0.1, 1, 0.486), comparedJob(4, 0.1, 1, 0.9)};
        for (JobSummary &job : jobs) {
            job.name = u"training-number-%1"_s.arg(job.id); // as long as between the two
        }
        CompareRuns runs;
        runs.setJobs(jobs);
        ScatterView scatter(&runs);
        scatter.resize(400, 220);
        scatter.setParameter(u"lr"_s);
        const auto beside = scatter.pointOf(1), at = scatter.pointOf(2);
        QVERIFY(beside && at);
        const QRectF label = scatter.labelOf(2);
        QVERIFY(QRectF(scatter.rect()).contains(label));
        QVERIFY2(label.width() > at->x() - beside->x(), "The label has room between the two.");
        for (qsizetype run = 0; run < jobs.size(); ++run) {
            QVERIFY2(!label.contains(*scatter.pointOf(run)), qPrintable(QString::number(run)));
        }
    }

    // Of the leftmost point, beside which another one stands, in a narrow pane.
    void labelHidesNoNumberOfTheAxis()
    {
        CompareRuns runs;
        runs.setJobs({comparedJob(1, 0.001, 1, 0.3), comparedJob(2, 0.01, 1, 0.32), comparedJob(3, 0.1, 1, 0.81),
            comparedJob(4, 1, 1, 0.8)});
        ScatterView scatter(&runs);
        scatter.resize(200, 200);
        scatter.setParameter(u"lr"_s);
        const QRectF label = scatter.labelOf(0);
        QVERIFY(QRectF(scatter.rect()).contains(label));
        constexpr qreal endOfNumbers = 50, nextPoint = 4;
        QVERIFY2(label.left() > endOfNumbers, qPrintable(QString::number(label.left())));
        QVERIFY(!label.adjusted(0, -nextPoint, 0, nextPoint).contains(*scatter.pointOf(0)));
    }

    // Of a text parameter all values are named, and where there is no room for that, the one of the best run is.
    void namesOfATextParameter()
    {
        QList<JobSummary> jobs;
        for (int i = 0; i < 12; ++i) {
            JobSummary job = comparedJob(i + 1, 0.1, 1, i == 7 ? 0.9 : 0.5 + i / 100.0);
            job.parameters.insert(u"model"_s, u"a-long-name-of-a-model-%1"_s.arg(QChar(u'a' + i)));
            jobs.append(job);
        }
        ComparePage page;
        page.runs()->setJobs(jobs);
        page.resize(1200, 800);
        page.show();
        ScatterView *scatter = page.scatter();
        QCOMPARE(scatter->parameter(), u"model"_s);
        const QString best = u"a-long-name-of-a-model-h"_s;
        for (const int width : {1200, 500, 300, 170}) {
            ScatterView alone(page.runs());
            alone.resize(width, 220);
            QVERIFY2(alone.axisTexts().contains(best), qPrintable(QString::number(width)));
            QCOMPARE(alone.axisTexts().size() == jobs.size(), width == 1200);
            QVERIFY(!alone.grab().isNull());
        }
    }

    // Numbers of neighbours, drawn over each other, read as one number that nobody chose.
    void numbersOfAnAxisStandApart()
    {
        CompareRuns runs;
        runs.setJobs({comparedJob(1, 0.001477, 1, 0.3), comparedJob(2, 0.002277, 1, 0.81),
            comparedJob(3, 0.003, 1, 0.8), comparedJob(4, 0.1, 1, 0.7)});
        ScatterView scatter(&runs);
        scatter.setParameter(u"lr"_s);
        scatter.resize(1600, 200);
        QCOMPARE(scatter.axisTexts(), (QStringList{u"0.001477"_s, u"0.002277"_s, u"0.003"_s, u"0.1"_s}));
        scatter.resize(300, 200);
        const QStringList few = scatter.axisTexts();
        QVERIFY2(few.size() < 4 && few.contains(u"0.1"_s), qPrintable(few.join(u' ')));
        const qsizetype best = runs.best();
        const QString value = QStringList{u"0.001477"_s, u"0.002277"_s, u"0.003"_s, u"0.1"_s}.value(best);
        QVERIFY2(few.contains(value), qPrintable(value));
    }

    void numbersFitBesideAnAxis()
    {
        const auto within = [](int most) { return [most](const QString &text) { return text.size() <= most; }; };
        QCOMPARE(fittingNumber(u"0.0005601"_s, within(9)), u"0.0005601"_s);
        QCOMPARE(fittingNumber(u"0.0005601"_s, within(7)), u"0.00056"_s);
        QCOMPARE(fittingNumber(u"0.0005601"_s, within(6)), u"5.6e-4"_s);
        QCOMPARE(fittingNumber(u"0.0005601"_s, within(3)), u"0.0005601"_s);
        QCOMPARE(fittingNumber(u"a long word"_s, within(3)), u"a long word"_s);
    }
};

TRAINYARD_GUI_TEST(TstScatterView)
#include "tst_scatterview.moc"
