// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"

#include <QCoreApplication>
#include <QTest>

#include <cstdio>

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
            failures += QTest::qExec(test.get(), argc, argv);
        }
    }
    return failures > 0 ? 1 : 0;
}
