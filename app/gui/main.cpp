// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/windowoptions.h"
#include "app/gui/displayguard.h"
#include "app/gui/endsignals.h"
#include "app/gui/mainwindow.h"
#include "app/gui/screenshots.h"
#include "app/gui/singleinstance.h"
#include "app/gui/workbench/tabarea.h"
#include "engine/client/corefiles.h"
#include "engine/client/paths.h"
#include "widgets/common/filedialog.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepage.h"
#include "widgets/text/sentences.h"
#include "widgets/text/translations.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>

using namespace trainyard;

static void addOptions(QCommandLineParser &parser)
{
    parser.setApplicationDescription(QApplication::translate("main", "Designs, runs and watches training jobs."));
    parser.addHelpOption();
    parser.addVersionOption();
    for (const WindowOption &option : windowOptions()) {
        parser.addOption({option.name, option.text, option.value});
    }
    parser.addPositionalArgument(
        QStringLiteral("FILE"), QApplication::translate("main", "Jobs to open."), QStringLiteral("[FILE...]"));
}

// Output that needs no window works without a display.
static bool asksForText(int argc, char **argv)
{
    const std::span<char *> all(argv, std::size_t(argc));
    return std::any_of(all.begin(), all.end(), [](const char *argument) {
        const QLatin1StringView word(argument);
        return word == QLatin1StringView("--help") || word == QLatin1StringView("-h")
            || word == QLatin1StringView("--help-all") || word == QLatin1StringView("--version")
            || word == QLatin1StringView("-v");
    });
}

static void sayOnStandardError(const SingleInstance &instance)
{
    const auto say = [](const QString &sentence) { std::fprintf(stderr, "%s\n", qUtf8Printable(sentence)); };
    QObject::connect(&instance, &SingleInstance::waiting, &instance, [say] {
        say(QApplication::translate("main", "The window that is already open is busy; waiting for it to open this."));
    });
    QObject::connect(&instance, &SingleInstance::gaveUp, &instance, [say] {
        say(QApplication::translate("main", "The window that is already open does not answer. Another one opens."));
    });
}

static void setNames()
{
    QCoreApplication::setApplicationName(QStringLiteral("trainyard"));
    QCoreApplication::setApplicationVersion(QStringLiteral(TRAINYARD_VERSION));
}

int main(int argc, char **argv)
{
    trainyard::leaveNoCoreFiles(); // secrets are typed here
    paths::useHomeOfAccount();
    if (asksForText(argc, argv)) {
        const QCoreApplication application(argc, argv);
        setNames();
        installTranslations();
        QCommandLineParser parser;
        addOptions(parser);
        parser.parse(QCoreApplication::arguments()); // whatever else is there, Qt's own options for a window included
        parser.isSet(QStringLiteral("version")) ? parser.showVersion() : parser.showHelp(); // ends the program
    }
    QApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    std::optional<DisplayGuard> guard(std::in_place);
    QApplication application(argc, argv);
    guard.reset();
    setNames();
    QApplication::setApplicationDisplayName(QStringLiteral("Trainyard"));
    QApplication::setDesktopFileName(QStringLiteral("trainyard"));

    installTranslations();
    useWindowSentences();

    QCommandLineParser parser;
    addOptions(parser);
    parser.process(application);

    ThemeMode mode = GuiSettings().themeMode();
    if (parser.isSet(themeOption)) {
        mode = parser.value(themeOption) == QLatin1String("dark") ? ThemeMode::Dark
            : parser.value(themeOption) == QLatin1String("light") ? ThemeMode::Light
                                                                  : ThemeMode::System;
    }
    TrainyardStyle::install(mode);
    QApplication::setWindowIcon(icon(QStringLiteral("trainyard"), Colour::Accent));

    setStartFolder(QDir::currentPath());
    QStringList files;
    const QStringList arguments = parser.positionalArguments();
    for (const QString &file : arguments) {
        files.append(QFileInfo(file).absoluteFilePath());
    }
    if (parser.isSet(showRunOption)) {
        files.append(runAddress + parser.value(showRunOption));
    }
    if (parser.isSet(stylePageOption)) {
        StylePage page;
        page.show();
        return QApplication::exec();
    }
    if (parser.isSet(screenshotsOption)) {
        return takeScreenshots(parser.value(screenshotsOption), files);
    }
    const bool isSmoke = parser.isSet(smokeOption);
    SingleInstance instance;
    sayOnStandardError(instance);
    if (!isSmoke && !parser.isSet(newWindowOption) && instance.handOver(files)) {
        return 0;
    }
    if (!isSmoke) {
        instance.listen(); // before the window is made, which takes time: a second start finds it
    }
    MainWindow window({!isSmoke, !isSmoke});
    QObject::connect(&instance, &SingleInstance::openRequested, &window, &MainWindow::openFiles);
    const EndSignals ends;
    QObject::connect(&ends, &EndSignals::arrived, &window, &MainWindow::leave);
    window.show();
    window.openFiles(files);
    if (isSmoke) {
        QTimer::singleShot(0, &window, [&window] { QApplication::exit(window.tabs()->pages().isEmpty() ? 1 : 0); });
    }
    return QApplication::exec();
}
