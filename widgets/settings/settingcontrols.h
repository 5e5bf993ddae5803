// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBoxLayout>
#include <QLineEdit>
#include <QStringList>
#include <QWheelEvent>

#include <algorithm>

// The common parts of the rows of settings.
namespace trainyard
{

inline constexpr int settingControlWidth = 240;

// Leaves the wheel to the page that scrolls, unless it was clicked: a value must not change under the pointer.
template <typename Control> class StillControl : public Control
{
public:
    using Control::Control;

protected:
    void wheelEvent(QWheelEvent *event) override
    {
        if (this->hasFocus()) {
            Control::wheelEvent(event);
        } else {
            event->ignore();
        }
    }
};

// The name of a setting, and below it, in monospace, its key in the file and at the shell. Text that the user has not
// confirmed yet stays, whatever answer arrives meanwhile.
inline bool isBeingTyped(const QLineEdit *edit) { return edit->hasFocus() && edit->isModified(); }

void addSettingTitle(QBoxLayout *column, const QString &title, const QString &key, QWidget *buddy);

// Whether each of the words is in one of the texts.
inline bool fitsWords(const QString &words, const QStringList &texts)
{
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(wanted.cbegin(), wanted.cend(), [&texts](const QString &word) {
        return std::any_of(texts.cbegin(), texts.cend(),
            [&word](const QString &text) { return text.contains(word, Qt::CaseInsensitive); });
    });
}

} // namespace trainyard
