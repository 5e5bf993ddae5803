// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QTabBar>
#include <QWidget>

class QStackedWidget;
class QToolButton;

namespace trainyard
{

class DocumentTabBar;

// The central area: documents and runs in tabs. Pages belong to it until they are taken out.
class TabArea : public QWidget
{
    Q_OBJECT
public:
    static constexpr int leastWords = 32; // pixels: with less of its title in sight, a tab shows no icon
    explicit TabArea(QWidget *parent = nullptr);
    void addPage(QWidget *page, const QIcon &icon, const QString &title, bool activate = true);
    void removePage(QWidget *page); // does not delete it
    void setTitle(QWidget *page, const QString &title, const QString &tip = {});
    QString titleOf(const QWidget *page) const;
    void setIcon(QWidget *page, const QIcon &icon);
    void setModified(QWidget *page, bool modified);
    void setTemporary(QWidget *page, bool on); // its title is slanted
    QWidget *currentPage() const;
    void setCurrentPage(QWidget *page);
    QList<QWidget *> pages() const; // in the order of the tabs
    QTabBar *tabBar() const;
    QToolButton *addButton() const { return m_add; }

public Q_SLOTS:
    void nextTab();
    void previousTab();

Q_SIGNALS:
    void currentPageChanged(QWidget *page);
    void closeRequested(QWidget *page);
    void keepRequested(QWidget *page); // by a double click on its tab
    void dragRequested(QWidget *page); // the tab is being pulled out of the bar
    void menuRequested(QWidget *page, const QPoint &globalPosition); // of its tab

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void updateList();
    void fillList();
    int indexOf(const QWidget *page) const;
    void bringToFront(QWidget *page);
    DocumentTabBar *m_bar;
    QToolButton *m_add;
    QToolButton *m_list; // of all tabs, when they do not fit
    QStackedWidget *m_stack;
};

// The title of a tab without room for all of it: without the suffix, which all documents share, and without the end of
// the name, but with the number that distinguishes a run from others of its name.
QString shortTitle(const QString &title, const QFontMetrics &metrics, int room);

} // namespace trainyard
