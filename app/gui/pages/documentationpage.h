// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QTextCursor>
#include <QWidget>

class QLabel;
class QTextBrowser;
class QTextDocument;
class QToolButton;

namespace trainyard
{

class SearchField;

// Shows the pages of the documentation, follows their links, and finds words in them.
class DocumentationPage : public QWidget
{
    Q_OBJECT
public:
    static constexpr QLatin1StringView contents{"README.md"};
    static constexpr QLatin1StringView shortcuts{"shortcuts"}; // not a file: see showText()

    explicit DocumentationPage(QWidget *parent = nullptr);
    void open(const QString &page); // "editor.md"; another one is answered with the contents
    void showText(const QString &page, const QString &markdown); // of a page that is not a file
    QString page() const { return m_shown; }
    QString title() const { return m_title; } // the first heading
    QTextBrowser *browser() const { return m_browser; }

Q_SIGNALS:
    void shortcutsRequested(); // answer with showText()
    void titleChanged();

protected:
    void changeEvent(QEvent *event) override;

private:
    void find();
    void findHits();
    void goToHit(int number); // beyond the last comes the first
    void showHits();
    void lookElsewhere(); // offers the other pages that have what this one has not
    void go(const QString &page); // keeps the way back
    void render();
    QTextBrowser *m_browser;
    QTextDocument *m_document = nullptr;
    QToolButton *m_back;
    SearchField *m_search;
    QLabel *m_elsewhere;
    QString m_shown;
    QString m_markdown;
    QString m_title;
    QStringList m_former;
    QList<QTextCursor> m_hits; // of what is looked for
    int m_hit = -1; // the current one
};

} // namespace trainyard
