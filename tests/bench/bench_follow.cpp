// SPDX-License-Identifier: GPL-3.0-or-later
// How smooth the log view stays while a task of the real engine prints 100,000 lines a second: frames that are late at
// 60 a second, and how far what is shown is behind what was printed. Beside it, in the same run, a QPlainTextEdit that
// appends the same output.
#include "tests/bench/benchengine.h"
#include "widgets/common/style.h"
#include "widgets/log/logview.h"

#include <QApplication>
#include <QDateTime>
#include <QDirIterator>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBlock>
#include <QWheelEvent>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

constexpr int frameMs = 16;
constexpr double lateMs = 25; // one and a half frames

// The program of the task: lines with the moment at which they were printed.
int print(int linesPerSecond, int seconds)
{
    constexpr int turnMs = 10;
    const qint64 begin = QDateTime::currentMSecsSinceEpoch();
    qint64 number = 0;
    for (qint64 turn = 1; turn * turnMs <= seconds * qint64(1000); ++turn) {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        QByteArray text;
        for (const qint64 end = qint64(linesPerSecond) * turnMs * turn / 1000; number < end; ++number) {
            text += "t=" + QByteArray::number(now) + " step " + QByteArray::number(number)
                + (number % 1000 == 0 ? " WARNING loss " : " loss ")
                + QByteArray::number(1.0 / double(number % 997 + 1), 'f', 6) + " lr 0.0003 grad-norm 1.27\n";
        }
        for (qsizetype at = 0; at < text.size();) {
            const ssize_t n = ::write(1, text.constData() + at, size_t(text.size() - at));
            if (n <= 0) {
                return 1;
            }
            at += n;
        }
        const qint64 left = begin + turn * turnMs - QDateTime::currentMSecsSinceEpoch();
        if (left > 0) {
            ::usleep(useconds_t(left * 1000)); // the pace of a program that prints, not a wait for something
        }
    }
    return 0;
}

double ageOf(const QString &line) // ms since it was printed; below zero: it does not say
{
    return line.startsWith("t="_L1) ? double(QDateTime::currentMSecsSinceEpoch() - line.mid(2, 13).toLongLong()) : -1;
}

struct Seen {
    std::vector<double> gaps, ages; // ms between two turns of the event loop's clock; age of the newest line shown
    int paints = 0;
    qint64 lines = 0;
    double seconds = 0;

    double lateShare() const
    {
        const auto late = std::count_if(gaps.begin(), gaps.end(), [](double gap) { return gap > lateMs; });
        return gaps.empty() ? 100 : 100.0 * double(late) / double(gaps.size());
    }
};

class PaintCounter : public QObject
{
public:
    explicit PaintCounter(QWidget *of) { of->installEventFilter(this); }
    int count = 0;
    bool eventFilter(QObject * /*watched*/, QEvent *event) override
    {
        count += event->type() == QEvent::Paint;
        return false;
    }
};

// `newest`: the newest line that is shown. `count`: how many there are. `turn`: done at each frame.
Seen watch(QWidget *painted, int seconds, const std::function<QString()> &newest, const std::function<qint64()> &count,
    const std::function<void(int)> &turn = {})
{
    Seen seen;
    PaintCounter paints(painted);
    QElapsedTimer whole, since;
    QTimer clock;
    clock.setTimerType(Qt::PreciseTimer);
    int number = 0;
    const qint64 before = count();
    QObject::connect(&clock, &QTimer::timeout, &clock, [&] {
        seen.gaps.push_back(double(since.nsecsElapsed()) / 1e6);
        since.restart();
        if (const double age = ageOf(newest()); age >= 0) {
            seen.ages.push_back(age);
        }
        if (turn) {
            turn(number);
        }
        ++number;
    });
    whole.start();
    since.start();
    clock.start(frameMs);
    while (whole.elapsed() < seconds * qint64(1000)) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    seen.seconds = double(whole.nsecsElapsed()) / 1e9;
    seen.paints = paints.count;
    seen.lines = count() - before;
    return seen;
}

void tell(const char *what, const Seen &seen)
{
    std::printf("%-28s %7.0f lines/s, %5.1f paints/s, frame %5.1f ms at 99 of 100, %6.1f at most, late %5.2f %%, "
                "behind %6.0f ms at 50, %6.0f at 99\n",
        what, double(seen.lines) / seen.seconds, seen.paints / seen.seconds, BenchEngine::at(seen.gaps, 0.99),
        BenchEngine::at(seen.gaps, 1), seen.lateShare(), BenchEngine::at(seen.ages, 0.5),
        BenchEngine::at(seen.ages, 0.99));
    std::fflush(stdout);
}

QString outputOf(const BenchEngine &engine)
{
    QString found;
    BenchEngine::waitUntil(
        [&] {
            QDirIterator all(engine.path(u"state"_s), {u"output.log"_s}, QDir::Files, QDirIterator::Subdirectories);
            while (all.hasNext()) {
                if (QFileInfo(all.next()).size() > 0) {
                    found = all.filePath();
                }
            }
            return !found.isEmpty();
        },
        30000);
    return found;
}

// What a simple program does: it appends what is new to a text field of limited length.
Seen watchPlain(const QString &path, int seconds)
{
    QPlainTextEdit edit;
    edit.setReadOnly(true);
    edit.setMaximumBlockCount(20000);
    edit.resize(1200, 800);
    edit.show();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        qFatal("cannot read %s", qPrintable(path));
    }
    file.seek(file.size());
    qint64 lines = 0;
    QString last;
    const auto append = [&](int) {
        QByteArray text = file.readAll();
        text.truncate(text.lastIndexOf('\n'));
        if (!text.isEmpty()) {
            lines += text.count('\n') + 1;
            edit.appendPlainText(QString::fromUtf8(text));
            edit.verticalScrollBar()->setValue(edit.verticalScrollBar()->maximum());
            last = edit.document()->lastBlock().text();
        }
    };
    return watch(
        edit.viewport(), seconds, [&] { return last; }, [&] { return lines; }, append);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc == 4 && qstrcmp(argv[1], "--print") == 0) {
        return print(std::atoi(argv[2]), std::atoi(argv[3]));
    }
    if (qEnvironmentVariableIsEmpty("DISPLAY")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(argc, argv);
    BenchEngine engine(u"/var/tmp"_s);
    int rate = 100000, seconds = 8;
    const QStringList words = QCoreApplication::arguments();
    for (qsizetype i = 1; i < words.size(); i += 2) {
        if (i + 1 < words.size() && words.at(i) == "--lines"_L1) {
            rate = words.at(i + 1).toInt();
        } else if (i + 1 < words.size() && words.at(i) == "--seconds"_L1) {
            seconds = std::max(1, words.at(i + 1).toInt());
        } else {
            std::puts("Usage: bench_follow [--lines PER_SECOND] [--seconds N]\nExit status 1 when a bound is missed.");
            return words.at(i) == "--help"_L1 ? 0 : 2;
        }
    }
    TrainyardStyle::install(ThemeMode::Light);
    const QString yaml = engine.write(u"follow.yaml"_s,
        ("protocolVersion: 2\nname: follow\ntype: job\nprerequisites:\n  - {name: none, type: dockerimage, uri: none}\n"
         "taskRoles:\n  t:\n    instances: 1\n    dockerImage: none\n"
         "    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n    commands: ['exec \""
            + QCoreApplication::applicationFilePath().toUtf8() + "\" --print " + QByteArray::number(rate) + ' '
            + QByteArray::number(3 * seconds + 30) + "']\n"));
    std::printf("== a task prints %d lines a second ==\n", rate);
    BenchEngine::load();
    BenchEngine::ctl({u"run"_s, yaml});
    const QString path = outputOf(engine);
    if (path.isEmpty()) {
        qFatal("the task printed nothing");
    }
    bool good = true;
    {
        LogView view;
        view.resize(1200, 800);
        view.show();
        view.setSource(TryLogSource::factory(QFileInfo(path).path(), LogSource::Filter::Both));
        BenchEngine::waitUntil([&view] { return view.lineCount() > 1000; }, 30000);
        const auto newest = [&view] { return view.lineText(view.lineCount() - 1); };
        const auto count = [&view] { return view.lineCount(); };
        const Seen followed = watch(view.viewport(), seconds, newest, count);
        const auto wheel = [&view](int number) {
            const QPointF at(300, 300);
            const QPoint angle(0, number / 60 % 2 == 0 ? 120 : -120);
            QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, angle, Qt::NoButton, Qt::NoModifier,
                Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(view.viewport(), &event);
        };
        const Seen scrolled = watch(view.viewport(), seconds, newest, count, wheel);
        tell("log view, following", followed);
        tell("log view, scrolled each frame", scrolled);
        good = figure("lines shown, of those printed", 100.0 * double(followed.lines) / followed.seconds / rate, "%",
                   95, false)
            && good;
        good = figure("following: late frames", followed.lateShare(), "%", 2) && good;
        good = figure("following: behind the task, at 99 of 100", BenchEngine::at(followed.ages, 0.99), "ms", 250)
            && good;
        good = figure("scrolling: late frames", scrolled.lateShare(), "%", 2) && good;
    }
    tell("QPlainTextEdit, appending", watchPlain(path, seconds));
    BenchEngine::ctl({u"stop"_s, u"follow"_s});
    return good ? 0 : 1;
}
