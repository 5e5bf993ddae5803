// SPDX-License-Identifier: GPL-3.0-or-later
// From the start of the program to its first painted window, and the memory that it has then: `trainyard --smoke`
// beside a bare Qt window with an empty text field, which this program shows when it is called with --bare.
#include "tests/bench/benchengine.h"

#include <QApplication>
#include <QMainWindow>
#include <QPlainTextEdit>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <vector>

using namespace Qt::StringLiterals;

extern char **environ; // NOLINT(readability-redundant-declaration): POSIX declares it nowhere

namespace
{

struct Start {
    double wallMs = 0;
    double processorMs = 0;
    double mebibytes = 0;
};

double milliseconds(const timeval &time) { return double(time.tv_sec) * 1000 + double(time.tv_usec) / 1000; }

Start startOnce(const QByteArray &program, const QByteArray &argument)
{
    QByteArray words[] = {program, argument};
    char *argv[] = {words[0].data(), words[1].data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    QElapsedTimer clock;
    clock.start();
    pid_t pid = 0;
    if (::posix_spawn(&pid, program.constData(), &actions, nullptr, argv, environ) != 0) {
        qFatal("%s does not start", program.constData());
    }
    int status = 0;
    rusage usage{};
    ::wait4(pid, &status, 0, &usage);
    const double wall = double(clock.nsecsElapsed()) / 1e6;
    posix_spawn_file_actions_destroy(&actions);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        qFatal("%s %s failed", program.constData(), argument.constData());
    }
    return {wall, milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), double(usage.ru_maxrss) / 1024};
}

int showBareWindow(int argc, char **argv)
{
    QApplication application(argc, argv);
    QMainWindow window;
    window.setCentralWidget(new QPlainTextEdit);
    window.resize(1200, 800);
    window.show();
    QTimer::singleShot(0, &window, [] { QApplication::exit(0); });
    return QApplication::exec();
}

double medianOf(const std::vector<Start> &starts, double Start::*member)
{
    std::vector<double> values;
    values.reserve(starts.size());
    for (const Start &start : starts) {
        values.push_back(start.*member);
    }
    return BenchEngine::median(std::move(values));
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 1 && QByteArrayView(argv[1]) == "--bare") {
        return showBareWindow(argc, argv);
    }
    QCoreApplication application(argc, argv);
    int rounds = 15;
    const QStringList words = QCoreApplication::arguments();
    if (words.size() == 3 && words.at(1) == "--rounds"_L1) {
        rounds = qMax(1, words.at(2).toInt());
    } else if (words.size() > 1) {
        std::puts("Usage: bench_gui [--rounds N]\nExit status 1 when a bound is missed.");
        return words.at(1) == "--help"_L1 ? 0 : 2;
    }
    const BenchEngine folders(u"/var/tmp"_s);
    if (qEnvironmentVariableIsEmpty("DISPLAY")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QByteArray trainyard = QFile::encodeName(BenchEngine::program(u"trainyard"_s));
    const QByteArray bare = QFile::encodeName(QCoreApplication::applicationFilePath());
    std::printf("== from start to first paint and exit, median of %d interleaved rounds ==\n", rounds);
    BenchEngine::load();
    startOnce(trainyard, "--smoke"); // both lie in the page cache from here on
    startOnce(bare, "--bare");
    std::vector<Start> ours, theirs;
    for (int round = 0; round < rounds; ++round) {
        theirs.push_back(startOnce(bare, "--bare"));
        ours.push_back(startOnce(trainyard, "--smoke"));
    }
    const double wall = medianOf(ours, &Start::wallMs), processor = medianOf(ours, &Start::processorMs);
    std::printf("bare Qt window: %.0f ms, %.0f ms of a processor, %.0f MiB\n", medianOf(theirs, &Start::wallMs),
        medianOf(theirs, &Start::processorMs), medianOf(theirs, &Start::mebibytes));
    std::printf("trainyard:      %.0f ms, %.0f ms of a processor, %.0f MiB\n", wall, processor,
        medianOf(ours, &Start::mebibytes));
    bool good = figure("start to first paint and exit", wall, "ms", 150);
    good = figure("resident memory", medianOf(ours, &Start::mebibytes), "MiB", 120) && good;
    return good ? 0 : 1;
}
