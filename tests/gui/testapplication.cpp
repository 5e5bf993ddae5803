// SPDX-License-Identifier: GPL-3.0-or-later
// The application of GUI tests: our style in its light theme whatever the desktop says, settings nowhere near the
// user's.
#include "widgets/common/style.h"

#include <QApplication>
#include <QStandardPaths>

#include <memory>

std::unique_ptr<QCoreApplication> makeTestApplication(int &argc, char **argv)
{
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setOrganizationName(QStringLiteral("trainyard-test"));
    QApplication::setApplicationName(QStringLiteral("trainyard-test"));
    auto application = std::make_unique<QApplication>(argc, argv);
    trainyard::TrainyardStyle::install(trainyard::ThemeMode::Light);
    return application;
}
