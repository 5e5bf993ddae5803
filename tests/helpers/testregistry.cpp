// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <cstdio>
#include <vector>

// Defined by GUI test executables only, so that the others do not link Qt Widgets.
std::unique_ptr<QCoreApplication> makeTestApplication(int &argc, char **argv) __attribute__((weak));

namespace testregistry
{
namespace
{
struct Entry {
    QByteArray name;
    Application application;
    Factory factory;
};
QList<Entry> &entries()
{
    static QList<Entry> list;
    return list;
}

// A second log of each class beside the one that is printed, where the environment names a folder for them: `./dev
// test` counts the skips in it, which ctest takes for passes.
QByteArrayList withLog(QByteArrayList arguments, const QByteArray &className)
{
    const QByteArray folder = qgetenv("TRAINYARD_TEST_LOGS");
    if (!folder.isEmpty() && !arguments.contains("-o")) {
        const QByteArray file = folder + '/' + className + '-' + QByteArray::number(QCoreApplication::applicationPid());
        arguments += {"-o", "-,txt", "-o", file + ".txt,txt"};
    }
    return arguments;
}
} // namespace

bool add(const char *className, Application application, Factory factory)
{
    QByteArray name = QByteArray(className).toLower();
    if (name.startsWith("tst")) {
        name.insert(3, '_');
    }
    entries().append({name, application, std::move(factory)});
    return true;
}
} // namespace testregistry

namespace
{

// Whether a thread beside this one is under way. What only stays, such as threads of libraries and sanitizers, sleeps.
bool isAnyThreadRunning()
{
    const QDir threads(QStringLiteral("/proc/self/task"));
    const QStringList all = threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return std::any_of(all.cbegin(), all.cend(), [&threads](const QString &thread) {
        QFile file(threads.filePath(thread + QStringLiteral("/stat")));
        const QByteArray stat = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        const QByteArray state = stat.mid(stat.lastIndexOf(')') + 2, 1);
        return thread.toLongLong() != QCoreApplication::applicationPid() && (state == "R" || state == "D");
    });
}

// QThread::wait(), by which all our threads are awaited, comes back when the thread says that it is through. In
// Qt 6.4 the kernel's thread is a detached one, which gives back what Qt kept for it (QThreadData, 152 bytes) only
// after that, and LeakSanitizer takes this for lost when it looks in between. Such a thread has no reason to sleep any
// more.
void awaitThreads()
{
    constexpr int mostMs = 10'000;
    const QDeadlineTimer deadline(mostMs);
    while (isAnyThreadRunning() && !deadline.hasExpired()) {
        QThread::msleep(1);
    }
}

} // namespace

int main(int argc, char **argv)
{
    using namespace testregistry;
    QByteArray only;
    if (argc > 1 && argv[1][0] != '-') {
        only = argv[1];
        for (int i = 1; i + 1 < argc; ++i) {
            argv[i] = argv[i + 1];
        }
        --argc;
    }
    bool gui = false;
    bool found = only.isEmpty();
    for (const Entry &entry : std::as_const(entries())) {
        if (only.isEmpty() || only == entry.name) {
            gui = gui || entry.application == Application::Gui;
            found = true;
        }
    }
    if (!found) {
        std::fprintf(stderr, "No test class is called %s.\n", only.constData());
        return 2;
    }
    std::unique_ptr<QCoreApplication> application
        = gui && makeTestApplication ? makeTestApplication(argc, argv) : std::make_unique<QCoreApplication>(argc, argv);
    int failures = 0;
    for (const Entry &entry : std::as_const(entries())) {
        if (only.isEmpty() || only == entry.name) {
            const std::unique_ptr<QObject> test = entry.factory();
            QByteArrayList arguments = withLog({argv, argv + argc}, entry.name);
            std::vector<char *> pointers;
            for (QByteArray &argument : arguments) {
                pointers.push_back(argument.data());
            }
            failures += QTest::qExec(test.get(), int(pointers.size()), pointers.data());
        }
    }
    application.reset();
    awaitThreads();
    return failures > 0 ? 1 : 0;
}
