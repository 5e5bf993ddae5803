// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/windowoptions.h"
#include "app/gui/endsignals.h"
#include "app/gui/mainwindow.h"
#include "app/gui/screenshots.h"
#include "app/gui/singleinstance.h"
#include "app/gui/workbench/tabarea.h"
#include "engine/client/corefiles.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepage.h"
#include "widgets/text/translations.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QTimer>

#include <memory>

using namespace trainyard;

int main(int argc, char **argv)
{
    trainyard::leaveNoCoreFiles(); // secrets are typed here
    QApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard"));
    QApplication::setApplicationDisplayName(QStringLiteral("Trainyard"));
    QApplication::setApplicationVersion(QStringLiteral(TRAINYARD_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("trainyard"));

    installTranslations();

    QCommandLineParser parser;
    parser.setApplicationDescription(QApplication::translate("main", "Designs, runs and watches training jobs."));
    parser.addHelpOption();
    parser.addVersionOption();
    for (const WindowOption &option : windowOptions()) {
        parser.addOption({option.name, option.text, option.value});
    }
    parser.addPositionalArgument(
        QStringLiteral("FILE"), QApplication::translate("main", "Jobs to open."), QStringLiteral("[FILE...]"));
    parser.process(application);

    ThemeMode mode = GuiSettings().themeMode();
    if (parser.isSet(themeOption)) {
        mode = parser.value(themeOption) == QLatin1String("dark") ? ThemeMode::Dark
            : parser.value(themeOption) == QLatin1String("light") ? ThemeMode::Light
                                                                  : ThemeMode::System;
    }
    TrainyardStyle::install(mode);
    QApplication::setWindowIcon(icon(QStringLiteral("trainyard"), Colour::Accent));

    QStringList files;
    const QStringList arguments = parser.positionalArguments();
    for (const QString &file : arguments) {
        files.append(QFileInfo(file).absoluteFilePath());
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
    if (!isSmoke && !parser.isSet(newWindowOption) && instance.handOver(files)) {
        return 0;
    }
    MainWindow window({!isSmoke, !isSmoke});
    QObject::connect(&instance, &SingleInstance::openRequested, &window, &MainWindow::openFiles);
    const EndSignals ends;
    QObject::connect(&ends, &EndSignals::arrived, &window, &MainWindow::leave);
    if (!isSmoke) {
        instance.listen();
    }
    window.show();
    window.openFiles(files);
    if (isSmoke) {
        QTimer::singleShot(0, &window, [&window] { QApplication::exit(window.tabs()->pages().isEmpty() ? 1 : 0); });
    }
    return QApplication::exec();
}
