// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <memory>

// Several QtTest classes in one executable: linking is the dearest step on a small machine.
// `exe` runs all of them, `exe tst_name [QtTest arguments]` one. The name is the class name in lower case,
// with "tst" set off by an underscore: TstShellQuote is tst_shellquote.
namespace testregistry
{
using Factory = std::function<std::unique_ptr<QObject>()>;
enum class Application { Core, Gui };
bool add(const char *className, Application application, Factory factory);
} // namespace testregistry

#define TRAINYARD_TEST(Class)                                                                                          \
    [[maybe_unused]] static const bool registered##Class                                                               \
        = testregistry::add(#Class, testregistry::Application::Core, [] { return std::make_unique<Class>(); });
// Needs a QApplication (widgets).
#define TRAINYARD_GUI_TEST(Class)                                                                                      \
    [[maybe_unused]] static const bool registered##Class                                                               \
        = testregistry::add(#Class, testregistry::Application::Gui, [] { return std::make_unique<Class>(); });
