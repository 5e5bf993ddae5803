// SPDX-License-Identifier: GPL-3.0-or-later
// The log view with a log of some gigabytes: until it is painted, indexed and searched, and the memory that it takes,
// beside `grep -c` and `lnav` over the same file in the same run.
#include "tests/bench/benchengine.h"
#include "widgets/common/style.h"
#include "widgets/log/logview.h"

#include <QApplication>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

// The lines of a training run, of which one in about ten thousand has the needle.
QByteArray someLines(qint64 *number)
{
    QByteArray text;
    text.reserve(5 << 20);
    while (text.size() < (4 << 20)) {
        ++*number;
        text += "2026-01-01 12:00:00 [worker-" + QByteArray::number(*number % 8) + "] step "
            + QByteArray::number(*number) + " loss " + QByteArray::number(1.0 / double(*number % 997 + 1), 'f', 6)
            + " samples/s " + QByteArray::number(1000 + *number % 313);
        text += *number % 10007 == 0 ? " checkpoint written to /data/run\n" : " lr 0.0003 grad-norm 1.27\n";
    }
    return text;
}

double megabytesPerSecond(qint64 bytes, double milliseconds) { return double(bytes) / 1e3 / milliseconds; }

double residentMebibytes()
{
    QFile file(u"/proc/self/statm"_s);
    return file.open(QIODevice::ReadOnly)
        ? double(file.readAll().split(' ').value(1).toLongLong()) * double(::sysconf(_SC_PAGESIZE)) / (1 << 20)
        : 0;
}

double millisecondsOf(const QString &program, const QStringList &words, QByteArray *said = nullptr)
{
    QElapsedTimer clock;
    clock.start();
    QProcess process;
    process.start(program, words);
    if (!process.waitForStarted()) {
        return -1;
    }
    process.waitForFinished(-1);
    if (said) {
        *said = process.readAllStandardOutput();
    }
    return double(clock.nsecsElapsed()) / 1e6;
}

double waitFor(const QElapsedTimer &clock, const std::function<bool()> &isThere)
{
    while (!isThere()) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return double(clock.nsecsElapsed()) / 1e6;
}

double search(LogView &view, const LogQuery &query)
{
    QElapsedTimer clock;
    clock.start();
    view.search(query);
    return waitFor(clock, [&view] { return view.searchDone(); });
}

class PaintNote : public QObject
{
public:
    bool painted = false;
    bool eventFilter(QObject * /*watched*/, QEvent *event) override
    {
        painted = painted || event->type() == QEvent::Paint;
        return false;
    }
};

} // namespace

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("DISPLAY")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const BenchEngine folders(u"/var/tmp"_s);
    QApplication application(argc, argv);
    double gigabytes = 5;
    const QStringList words = QCoreApplication::arguments();
    if (words.size() == 3 && words.at(1) == "--gigabytes"_L1) {
        gigabytes = words.at(2).toDouble();
    } else if (words.size() > 1) {
        std::puts("Usage: bench_log [--gigabytes N]\nExit status 1 when a bound is missed.");
        return words.at(1) == "--help"_L1 ? 0 : 2;
    }
    TrainyardStyle::install(ThemeMode::Light);
    const QString path = folders.path(u"output.log"_s);
    qint64 size = 0, number = 0;
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) {
            qFatal("cannot write %s", qPrintable(path));
        }
        while (double(size) < gigabytes * 1e9) {
            const QByteArray block = someLines(&number);
            if (file.write(block) != block.size()) {
                qFatal("cannot write %s", qPrintable(path));
            }
            size += block.size();
        }
    }
    std::printf("== a log of %.1f GB, %lld lines ==\n", double(size) / 1e9, static_cast<long long>(number));
    BenchEngine::load();
    QByteArray count;
    millisecondsOf(u"grep"_s, {u"-c"_s, u"checkpoint written"_s, path}, &count); // fills the page cache
    const double grep = millisecondsOf(u"grep"_s, {u"-c"_s, u"checkpoint written"_s, path}, &count);
    const double grepNoCase = millisecondsOf(u"grep"_s, {u"-c"_s, u"-i"_s, u"checkpoint written"_s, path});
    const double grepPattern = millisecondsOf(u"grep"_s, {u"-c"_s, u"-E"_s, u"checkpoint (written|read)"_s, path});
    const double lnav
        = millisecondsOf(u"lnav"_s, {u"-n"_s, u"-q"_s, u"-c"_s, u":filter-in checkpoint written"_s, path});

    const double before = residentMebibytes();
    LogView view;
    view.resize(1200, 800);
    PaintNote note;
    view.viewport()->installEventFilter(&note);
    view.show();
    QElapsedTimer clock;
    clock.start();
    waitFor(clock, [&note] { return note.painted; });
    clock.restart();
    note.painted = false;
    view.setSource(TryLogSource::factory(folders.path({}), LogSource::Filter::Both));
    const double painted = waitFor(clock, [&] { return note.painted && view.lineCount() > 0; });
    const double indexed = waitFor(clock, [&view, size] { return view.byteCount() >= size; });
    const double plain = search(view, {u"checkpoint written"_s, false, true});
    const qint64 lines = view.hitLineCount();
    const double noCase = search(view, {u"Checkpoint Written"_s, false, false});
    const double pattern = search(view, {u"checkpoint (written|read)"_s, true, true});
    const double memory = residentMebibytes() - before;
    if (lines != count.trimmed().toLongLong() || view.hitLineCount() != lines) {
        qFatal("The view finds %lld lines and grep %s.", static_cast<long long>(lines), count.constData());
    }
    std::printf("grep -c:           %8.0f ms (%.0f MB/s)\n", grep, megabytesPerSecond(size, grep));
    std::printf("grep -c -i:        %8.0f ms (%.0f MB/s)\n", grepNoCase, megabytesPerSecond(size, grepNoCase));
    std::printf("grep -c -E:        %8.0f ms (%.0f MB/s)\n", grepPattern, megabytesPerSecond(size, grepPattern));
    if (lnav >= 0) {
        std::printf("lnav, one filter:  %8.0f ms (%.0f MB/s)\n", lnav, megabytesPerSecond(size, lnav));
    } else {
        std::puts("lnav is not installed");
    }
    std::printf("view, indexed:     %8.0f ms (%.0f MB/s)\n", indexed, megabytesPerSecond(size, indexed));
    std::printf("view, search:      %8.0f ms (%.0f MB/s)\n", plain, megabytesPerSecond(size, plain));
    std::printf("view, any case:    %8.0f ms (%.0f MB/s)\n", noCase, megabytesPerSecond(size, noCase));
    std::printf("view, expression:  %8.0f ms (%.0f MB/s)\n", pattern, megabytesPerSecond(size, pattern));
    bool good = figure("first lines painted", painted, "ms", 100);
    good = figure("search, times grep -c", plain / grep, "", 2) && good;
    good = figure("search in any case, times grep -c -i", noCase / grepNoCase, "", 2) && good;
    good = figure("search by an expression, times grep -c -E", pattern / grepPattern, "", 2) && good;
    good = figure("memory for index and hits", memory, "MiB", 150) && good;
    return good ? 0 : 1;
}
